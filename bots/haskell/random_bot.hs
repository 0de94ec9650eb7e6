-- Plays a random legal ply of any game: it asks the arena for the list of legal plies.
import Data.List (stripPrefix)
import Data.Maybe (mapMaybe)
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  lines <$> getContents >>= play 1 []

-- Answers the lines, with the state of the dice and the legal plies in hand.
play :: Integer -> [String] -> [String] -> IO ()
play _ _ [] = return ()
play dice legal (line : rest) = case words line of
  "ugi" : _ -> putStrLn "id name HaskellRandom\nprotocol 1\nplays *\nwant legal\nugiok" >> play dice legal rest
  "game" : pairs -> play (sum (mapMaybe seed pairs) `mod` 2147483646 + 1) legal rest
  "isready" : _ -> putStrLn "readyok" >> play dice legal rest
  "legal" : plies -> play dice plies rest
  "go" : _ -> do
    putStrLn ("bestmove " ++ legal !! (fromInteger dice `mod` length legal))
    play (dice * 48271 `mod` 2147483647) legal rest -- the generator of Park and Miller
  "quit" : _ -> return ()
  _ -> play dice legal rest

seed :: String -> Maybe Integer
seed pair = read <$> stripPrefix "seed=" pair
