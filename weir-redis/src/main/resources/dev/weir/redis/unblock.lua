-- Lifts the block of a key; its grants still count. ARGV: time.
local key = load(1)
if key.blocked > 0 then
  turn(key, time, NEVER) -- a step of the clock is for the next decision to find
  key.now = math.max(key.raw, key.last)
  key.blocked = 0
  save(key, key.sections, rest(key))
end
return 0
