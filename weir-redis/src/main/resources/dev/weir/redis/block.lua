-- Denies all requests for a key. ARGV: time; the duration in microseconds, or nothing to lift the block: then grants still count.
local key, duration = loadKey(1), tonumber(ARGV[2])
turn(key, NEVER) -- a step of the clock is for the next decision to find
if duration or key.blocked > 0 then
  key.blocked = duration and max(key.blocked, key.now + duration) or 0
  saveKey(key)
end
return 0
