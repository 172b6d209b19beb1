-- Denies all requests for a key. ARGV: time; the duration in microseconds.
local key = load(1)
turn(key, time, NEVER) -- a step of the clock is for the next decision to find
key.now = math.max(key.raw, key.last)
key.blocked = math.max(key.blocked, key.now + tonumber(ARGV[2]))
save(key, key.sections, math.max(key.blocked, rest(key)))
return 0
