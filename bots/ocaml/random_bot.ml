(* Plays a random legal ply of any game: it asks the arena for the list of legal plies. *)

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

let rec play legal =
  match words (read_line ()) with
  | "ugi" :: _ ->
      print_endline "id name OcamlRandom\nprotocol 1\nplays *\nwant legal\nugiok";
      play legal
  | "game" :: pairs ->
      Random.init (seed pairs);
      play legal
  | "isready" :: _ ->
      print_endline "readyok";
      play legal
  | "legal" :: plies -> play plies
  | "go" :: _ ->
      print_endline ("bestmove " ^ List.nth legal (Random.int (List.length legal)));
      play legal
  | "quit" :: _ -> ()
  | _ -> play legal

let () = try play [] with End_of_file -> ()
