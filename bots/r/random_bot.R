# Plays a random legal ply of any game: it asks the arena for the list of legal plies.
say <- function(...) {
  cat(..., "\n", sep = "")
  flush(stdout())
}

input <- file("stdin", "r")
legal <- character()
while (length(line <- readLines(input, n = 1)) > 0) {
  words <- scan(text = line, what = "", quiet = TRUE, quote = "", comment.char = "")
  switch(c(words, "")[1],
    ugi = say("id name RRandom\nprotocol 1\nplays *\nwant legal\nugiok"),
    game = {
      seed <- sub("seed=", "", grep("^seed=", words, value = TRUE))
      set.seed(if (length(seed) > 0) as.numeric(seed) %% 2147483647 else 1)
    },
    isready = say("readyok"),
    legal = legal <- words[-1],
    go = say("bestmove ", legal[sample.int(length(legal), 1)]),
    quit = break
  )
}
