# Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
#
# A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
# piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.

# Returns the parts of a text that match a pattern.
parts <- function(pattern, text) regmatches(text, gregexpr(pattern, text))[[1]]

# Turns `bbb/1w1/www` into a vector of letters named by their cells, such as a3; the top rank comes first.
read_board <- function(rows) {
  board <- character()
  rows <- rev(strsplit(rows, "/")[[1]])
  for (rank in seq_along(rows)) {
    file <- 1
    for (token in parts("[0-9]+|[A-Za-z]", rows[rank])) {
      if (grepl("[0-9]", token)) {
        file <- file + as.integer(token)
      } else {
        board[paste0(letters[file], rank)] <- token
        file <- file + 1
      }
    }
  }
  board
}

score <- function(board, ply) {
  cells <- parts("[a-z][0-9]+", ply)
  if (length(cells) == 0) return(0) # pass, swap
  end <- cells[length(cells)]
  file <- match(substr(end, 1, 1), letters)
  rank <- as.integer(substring(end, 2))
  files <- letters[intersect((file - 1):(file + 1), seq_along(letters))]
  around <- setdiff(outer(files, (rank - 1):(rank + 1), paste0), end)
  pieces <- board[intersect(around, names(board))]
  kind <- board[cells[1]] # NA: the ply places a new piece, and every piece is company
  captures <- length(parts("[-+x]", ply)) + (end %in% names(board))
  10 * captures + sum(ifelse(is.na(kind) | pieces == kind, 1, -1))
}

best <- function(board, legal) {
  scores <- vapply(legal, function(ply) score(board, ply), 0)
  plies <- legal[scores == max(scores)]
  plies[sample.int(length(plies), 1)]
}

say <- function(...) {
  cat(..., "\n", sep = "")
  flush(stdout())
}

input <- file("stdin", "r")
board <- legal <- character()
while (length(line <- readLines(input, n = 1)) > 0) {
  words <- scan(text = line, what = "", quiet = TRUE, quote = "", comment.char = "")
  switch(c(words, "")[1],
    ugi = say("id name RGreedy\nprotocol 1\nplays *\nwant legal board\nugiok"),
    game = {
      seed <- sub("seed=", "", grep("^seed=", words, value = TRUE))
      set.seed(if (length(seed) > 0) as.numeric(seed) %% 2147483647 else 1)
    },
    isready = say("readyok"),
    board = board <- read_board(words[2]),
    legal = legal <- words[-1],
    go = say("bestmove ", best(board, legal)),
    quit = break
  )
}
