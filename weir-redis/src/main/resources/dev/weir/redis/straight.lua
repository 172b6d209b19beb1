-- The straight path: decides requests whose limits need only the beginning of their states. All others are decided by the rules of the
-- family, with the same result.
--
-- The straight path of a kind of limit, `straight`:
--   limit              see limit.lua
--   state, at, behind  a string with the state of the limit, the place in it of the time of creation and that behind the state; not
--                      behind it if there is no state
--   permits, count     how many permits each of a number of equal requests is for, at most `burst` of the limit
--   peek               whether to grant nothing
-- Returns how many of the requests are decided; the wait until each of them fits, 0 if it does now; the permits that remain, after the
-- first if it is granted, and reset-after. If they are granted, or denied attempts count, also the handle, and the end of the state from
-- where it changes: the bytes, and how many bytes of the string stay before them. If the state becomes shorter, or the key needs a new time
-- to live, that in milliseconds is returned, too, and the bytes are those from the time of creation on. Returns nothing if the decision
-- needs more.
--
-- A state says when its key expires; if that is further away than a key is ever kept, the state is damaged, and is written again.

local texts = {} -- of numbers, because a number as the argument of a command takes 0.2 us; empty for the only request of a script

-- Decides the first of a number of equal requests for a key that has one limit. Returns how many it decided, and their answer; or nothing.
--   keyNumber  the position of the key
local function decideOne(keyNumber, limit, count, maxWait, permits)
  local name, prefix = KEYS[2 * keyNumber - 1], limit.prefix
  local state = call('GET', name) or ''
  if permits > limit.burst or state ~= '' and state:find(prefix, 1, true) ~= 1 then return end
  local number, wait, remaining, reset, handle, changed, kept, millis = straight(limit, state, CREATED, #state + 1, permits, count, peek)
  if not number or wait > 0 and wait <= maxWait or wait > reset or reset > MOST then
    return -- also if the state is damaged
  elseif millis then
    call('SET', name, prefix .. changed, 'PX', millis)
  elseif changed then
    call('SETRANGE', name, texts[kept] or kept, changed)
  end
  if wait > 0 then return number, encode(DENIED, 0, number, remaining, wait, reset, time) end
  return number, encode(ALLOWED, 1, number, time, remaining, reset, #handle, handle)
end

-- The only request of a script is decided before anything else is defined.
local _, kinds, _, count, maxWait, permits = decode('>I2I4I2I4I7I7', groups, first)
local lone = #KEYS == 2 and kinds == 1 and count == 1
if lone and #ARGV[2] == 1 + LIMIT then
  local decided, answer = decideOne(1, limitAt(ARGV[2], 2), 1, maxWait, permits)
  if decided then return answer end
end
