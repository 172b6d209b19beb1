-- Lifts the block of a key; its grants still count. ARGV: time.
local key = loadKey(1)
if key.blocked > 0 then
  turn(key, NEVER) -- a step of the clock is for the next decision to find
  key.blocked = 0
  saveKey(key)
end
return 0
