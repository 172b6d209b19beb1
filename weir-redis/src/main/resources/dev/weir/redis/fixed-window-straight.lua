-- The straight path of a fixed window, see straight.lua: a window that has begun is the only one, or there is none.
local function windowStraight(limit, state, at, behind, permits, count, dry)
  local most, window, aligned = limit.permits, limit.window, limit.flags == FIRST and 1 or 0
  local created, last, first, start, counted = 0, 0, aligned, -window, 0
  if behind == at + 15 then
    created, counted, first = decode('>I7I7B', state, at)
    last, start = created, first == 1 and created or created - created % window
  elseif behind == at + 31 then
    created, last, first, start, counted = decode('>I7I7I3I7I7', state, at)
  elseif behind > at then
    return
  end
  if last > time or start > time or first % 2 ~= aligned or counted > MOST or permits > most then return end -- also if it is damaged
  local fresh = start + window <= time
  if fresh then
    created, first, start, counted = time, aligned, aligned == 1 and time or time - time % window, 0
  end
  local left, room = start + window - time, most - counted
  if room < permits or dry then return count, room < permits and left or 0, max(0, room), fresh and 0 or left end
  local number = min(count, floor(room / permits))
  counted = counted + permits * number
  local handle = encode('>I7I3I7', created, floor(first / 2), start)
  if fresh then
    return number, 0, room - permits, left, handle, encode('>I7I7B', created, counted, first), ceil(left / 1000) + 1000 + spare
  end
  return number, 0, room - permits, left, handle, encode('>I7I7I3I7I7', created, time, first, start, counted)
end
