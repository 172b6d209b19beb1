-- The straight path: decides requests whose limits need only the beginning of their states. All others are decided by the rules of the
-- family, with the same result.
--
-- The straight path of a kind of limit:
--   limit              see limit.lua
--   state, at, behind  a string with the state of the limit, the place in it of the time of creation and that behind the state; the
--                      same if there is no state
--   permits, count     how many permits each of a number of equal requests is for
--   dry                whether to grant nothing
-- Returns how many of the requests are decided; the wait until each of them fits, 0 if it does now; the permits that remain, after the
-- first if it is granted, and reset-after. If they are granted also the handle, the bytes from the time of creation on that change, and
-- the new time to live of the key in milliseconds, nil if it need not change. Returns nothing if the decision needs more.
local parsed = {} -- lists of limits by their packed form

local function limitsOf(packed)
  local limits, at = parsed[packed], 1
  if not limits then
    local limit
    limit, at = limitAt(packed, at)
    limits = { limit, alone = at > #packed and limit, place = tostring(#limit.prefix) }
    while at <= #packed do
      limits[#limits + 1], at = limitAt(packed, at)
    end
    parsed[packed] = limits
  end
  return limits
end

-- Writes the state of the only limit of a key.
local function write(name, limits, changed, millis)
  if millis then
    call('SET', name, limits.alone.prefix .. changed, 'PX', millis)
  else
    call('SETRANGE', name, limits.place, changed)
  end
end

-- Decides the first of a number of equal requests for a key that has one limit. Returns how many it decided, and their answer; or nothing.
--   claim  the position of the key
local function decideOne(claim, limits, count, patience, permits)
  local name, limit = KEYS[2 * claim - 1], limits.alone
  local state, prefix, decide = call('GET', name), limit.prefix, straights[limit.kind]
  local start = #prefix + 1
  if state and (#state < start + 14 or state:sub(1, #prefix) ~= prefix) or not decide then return end
  local number, wait, remaining, reset, handle, changed, millis =
    decide(limit, state, start, #(state or prefix) + 1, permits, count, look)
  if not number or checked(wait) > 0 and wait <= patience then
    return
  elseif checked(reset) and wait > 0 then
    return number, encode(DENIED, 0, number, remaining, wait, reset, time)
  elseif look then
    return 1, encode(ALLOWED, 1, 1, remaining, 0, reset, time, 0, '')
  end
  write(name, limits, changed, millis)
  return number, encode(ALLOWED, 1, number, remaining, 0, reset, time, #handle, handle)
end

-- The only request of a script is decided before anything else is defined.
if #KEYS == 2 and not always then
  local _, kinds, count, patience, permits = decode('>I2I4I4I7I7', groups, first + 1)
  local limits = limitsOf(ARGV[2])
  if kinds == 1 and count == 1 and limits.alone then
    local decided, answer = decideOne(1, limits, 1, patience, permits)
    if decided then return answer end
  end
end
