-- Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
--
-- A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
-- piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.

-- Turns `bbb/1w1/www` into a table from cells, such as a3, to letters; the top rank comes first.
local function read_board(text)
  local rows, board = {}, {}
  for row in text:gmatch("[^/]+") do table.insert(rows, 1, row) end
  for rank, row in ipairs(rows) do
    local file = string.byte("a")
    for empty, letter in row:gmatch("(%d*)(%a?)") do
      file = file + (tonumber(empty) or 0)
      if letter ~= "" then
        board[string.char(file) .. rank] = letter
        file = file + 1
      end
    end
  end
  return board
end

local function score(board, ply)
  local first, last
  for cell in ply:gmatch("%l%d+") do first, last = first or cell, cell end
  if not last then return 0 end -- pass, swap
  local kind = board[first] -- nil: the ply places a new piece, and every piece is company
  local _, captures = ply:gsub("[-+x]", "")
  local value = 10 * (captures + (board[last] and 1 or 0))
  local file, rank = last:byte(), tonumber(last:sub(2))
  for x = -1, 1 do
    for y = -1, 1 do
      local letter = board[string.char(file + x) .. rank + y]
      if letter and (x ~= 0 or y ~= 0) then
        value = value + ((not kind or kind == letter) and 1 or -1)
      end
    end
  end
  return value
end

local function best(board, legal)
  local plies, highest = {}, -math.huge
  for _, ply in ipairs(legal) do
    local value = score(board, ply)
    if value > highest then plies, highest = {}, value end
    if value == highest then table.insert(plies, ply) end
  end
  return plies[math.random(#plies)]
end

io.stdout:setvbuf("line")
local legal, board = {}, {}

for line in io.lines() do
  local word = line:match("%S+")
  if word == "ugi" then
    print("id name LuaGreedy\nprotocol 1\nplays *\nwant legal board\nugiok")
  elseif word == "game" then
    local seed = line:match(" seed=(%d+)") or "1"
    math.randomseed(tonumber(seed:sub(-9)))
  elseif word == "isready" then
    print("readyok")
  elseif word == "board" then
    board = read_board(line:match("board%s+(%S+)"))
  elseif word == "legal" then
    legal = {}
    for ply in line:gmatch("%S+") do table.insert(legal, ply) end
    table.remove(legal, 1) -- the word `legal` itself
  elseif word == "go" then
    print("bestmove " .. best(board, legal))
  elseif word == "quit" then
    break
  end
end
