-- Denies everything for a key. ARGV: time; for how long.
local key = load(1)
turn(key, time, NEVER) -- a step is for the next decision to find
key.now = math.max(key.raw, key.last)
key.blocked = math.max(key.blocked, key.now + tonumber(ARGV[2]))
save(key, key.sections, math.max(key.blocked, rest(key)))
return 0
