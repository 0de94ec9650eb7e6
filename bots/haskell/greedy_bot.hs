-- Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
--
-- A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
-- piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
import Data.Char (isAsciiLower, isDigit, ord)
import Data.List (stripPrefix)
import qualified Data.Map as Map
import Data.Maybe (catMaybes, mapMaybe)
import System.IO

type Cell = (Int, Int) -- file and rank

type Board = Map.Map Cell Char

-- Reads `bbb/1w1/www`: the top rank comes first.
readBoard :: String -> Board
readBoard rows = Map.fromList (concat (zipWith (readRow 1) [1 ..] (reverse (split rows))))
  where
    split text = case break (== '/') text of
      (row, _ : more) -> row : split more
      (row, []) -> [row]

readRow :: Int -> Int -> String -> [(Cell, Char)]
readRow _ _ [] = []
readRow file rank row@(letter : more) = case span isDigit row of
  ("", _) -> ((file, rank), letter) : readRow (file + 1) rank more
  (run, left) -> readRow (file + read run) rank left

-- The cells that a ply names.
cells :: String -> [Cell]
cells (file : more)
  | isAsciiLower file, (rank@(_ : _), left) <- span isDigit more = (ord file - 96, read rank) : cells left
  | otherwise = cells more
cells [] = []

score :: Board -> String -> Int
score board ply = case cells ply of
  [] -> 0 -- pass, swap
  named -> 10 * captures + sum (map company around)
    where
      end@(file, rank) = last named
      captures = length (filter (`elem` "+-x") ply) + fromEnum (Map.member end board)
      around = catMaybes [Map.lookup (file + x, rank + y) board | x <- [-1 .. 1], y <- [-1 .. 1], (x, y) /= (0, 0)]
      company letter = case Map.lookup (head named) board of
        Just kind | kind /= letter -> -1
        _ -> 1 -- a friend; or the ply places a new piece, and every piece is company

best :: Board -> [String] -> [String]
best board legal = [ply | (ply, value) <- zip legal scores, value == maximum scores]
  where
    scores = map (score board) legal

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  lines <$> getContents >>= play 1 Map.empty []

-- Answers the lines, with the state of the dice, the board and the legal plies in hand.
play :: Integer -> Board -> [String] -> [String] -> IO ()
play _ _ _ [] = return ()
play dice board legal (line : rest) = case words line of
  "ugi" : _ -> putStrLn "id name HaskellGreedy\nprotocol 1\nplays *\nwant legal board\nugiok" >> play dice board legal rest
  "game" : pairs -> play (sum (mapMaybe seed pairs) `mod` 2147483646 + 1) board legal rest
  "isready" : _ -> putStrLn "readyok" >> play dice board legal rest
  "board" : rows : _ -> play dice (readBoard rows) legal rest
  "legal" : plies -> play dice board plies rest
  "go" : _ -> do
    let plies = best board legal
    putStrLn ("bestmove " ++ plies !! (fromInteger dice `mod` length plies))
    play (dice * 48271 `mod` 2147483647) board legal rest -- the generator of Park and Miller
  "quit" : _ -> return ()
  _ -> play dice board legal rest

seed :: String -> Maybe Integer
seed pair = read <$> stripPrefix "seed=" pair
