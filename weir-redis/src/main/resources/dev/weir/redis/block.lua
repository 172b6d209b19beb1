-- Denies all requests for a key. ARGV: time; the duration in microseconds.
local key = loadKey(1)
turn(key, NEVER) -- a step of the clock is for the next decision to find
key.blocked = max(key.blocked, key.now + tonumber(ARGV[2]))
saveKey(key)
return 0
