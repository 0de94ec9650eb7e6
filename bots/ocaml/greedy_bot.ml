(* Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.

   A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
   piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot. *)

module Board = Map.Make (struct
  type t = int * int (* file and rank *)

  let compare = compare
end)

let words line =
  String.map (fun c -> if c = '\t' || c = '\r' then ' ' else c) line
  |> String.split_on_char ' '
  |> List.filter (( <> ) "")

(* The seed of a `game` line; its last nine digits are enough. *)
let seed pairs =
  let read pair = try Scanf.sscanf pair "seed=%s" Option.some with _ -> None in
  match List.find_map read pairs with
  | None -> 1
  | Some text ->
      let length = min 9 (String.length text) in
      int_of_string (String.sub text (String.length text - length) length)

let is_digit c = c >= '0' && c <= '9'

(* The number that starts at a place of a text, and the place behind it. *)
let number text start =
  let rec go value i =
    if i < String.length text && is_digit text.[i] then go ((10 * value) + Char.code text.[i] - 48) (i + 1)
    else (value, i)
  in
  go 0 start

(* Reads `bbb/1w1/www`: the top rank comes first. *)
let read_board rows =
  let rec read_row rank board file i row =
    if i >= String.length row then board
    else if is_digit row.[i] then
      let empty, next = number row i in
      read_row rank board (file + empty) next row
    else read_row rank (Board.add (file, rank) row.[i] board) (file + 1) (i + 1) row
  in
  let read (board, rank) row = (read_row rank board 1 0 row, rank + 1) in
  fst (List.fold_left read (Board.empty, 1) (List.rev (String.split_on_char '/' rows)))

(* The cells that a ply names. *)
let cells ply =
  let is_cell i = i + 1 < String.length ply && ply.[i] >= 'a' && ply.[i] <= 'z' && is_digit ply.[i + 1] in
  let starts = List.filter is_cell (List.init (String.length ply) Fun.id) in
  List.map (fun i -> (Char.code ply.[i] - 96, fst (number ply (i + 1)))) starts

let score board ply =
  match cells ply with
  | [] -> 0 (* pass, swap *)
  | first :: _ as all ->
      let file, rank = List.nth all (List.length all - 1) in
      let kind = Board.find_opt first board in
      let marks = Seq.filter (fun c -> String.contains "+-x" c) (String.to_seq ply) in
      let captures = Seq.fold_left (fun n _ -> n + 1) 0 marks in
      let captures = if Board.mem (file, rank) board then captures + 1 else captures in
      let company x y =
        match Board.find_opt (file + x, rank + y) board with
        | Some letter when (x, y) <> (0, 0) ->
            (* Without a kind the ply places a new piece, and every piece is company. *)
            if kind = None || kind = Some letter then 1 else -1
        | _ -> 0
      in
      let sum f = f (-1) + f 0 + f 1 in
      (10 * captures) + sum (fun x -> sum (fun y -> company x y))

let best board legal =
  let highest = List.fold_left (fun value ply -> max value (score board ply)) min_int legal in
  let plies = List.filter (fun ply -> score board ply = highest) legal in
  List.nth plies (Random.int (List.length plies))

let rec play board legal =
  match words (read_line ()) with
  | "ugi" :: _ ->
      print_endline "id name OcamlGreedy\nprotocol 1\nplays *\nwant legal board\nugiok";
      play board legal
  | "game" :: pairs ->
      Random.init (seed pairs);
      play board legal
  | "isready" :: _ ->
      print_endline "readyok";
      play board legal
  | "board" :: rows :: _ -> play (read_board rows) legal
  | "legal" :: plies -> play board plies
  | "go" :: _ ->
      print_endline ("bestmove " ^ best board legal);
      play board legal
  | "quit" :: _ -> ()
  | _ -> play board legal

let () = try play Board.empty [] with End_of_file -> ()
