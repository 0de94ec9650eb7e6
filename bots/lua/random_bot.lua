-- Plays a random legal ply of any game: it asks the arena for the list of legal plies.
io.stdout:setvbuf("line")
local legal = {}

for line in io.lines() do
  local word = line:match("%S+")
  if word == "ugi" then
    print("id name LuaRandom\nprotocol 1\nplays *\nwant legal\nugiok")
  elseif word == "game" then
    local seed = line:match(" seed=(%d+)") or "1"
    math.randomseed(tonumber(seed:sub(-9)))
  elseif word == "isready" then
    print("readyok")
  elseif word == "legal" then
    legal = {}
    for ply in line:gmatch("%S+") do table.insert(legal, ply) end
    table.remove(legal, 1) -- the word `legal` itself
  elseif word == "go" then
    print("bestmove " .. legal[math.random(#legal)])
  elseif word == "quit" then
    break
  end
end
