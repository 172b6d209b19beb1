-- The state of a log, that of a sliding log or a sliding window.
--
-- Nothing is subtracted because time passes. P(x) is the weight of all runs with a stamp at or before x since the log was last
-- empty; the weight that counts at an instant e is S(e) = P(seen(e)) - P(e - window), where seen(e) is the end of the tick of e.
--
-- The state is a section, see limit.lua: prefix, time of creation, and
--   HEAD     last: the time of the latest request that changed it; newest, newestWeight: the newest run; settled: P before it;
--            next, nextWeight: the oldest run that counts, as far as known; gone: P before it; closed: the stamp of the run before
--            the newest; expires: when the Redis key does; count: the number of runs in the tail; position: the place behind the
--            run `next`; the sizes of tail and front in bytes; 1 if the head is not all that decides
--   tail     the runs before the newest. At ROOM bytes: the front, a copy of the block that has the run `next`; empty if that is
--            in the tail. At 2 * ROOM: what few logs need, see log-rare.lua
-- A log of one entry is cut short: after the creation, which is also its last time, come the distance to the stamp and the weight.
--
-- A run is the distance to the stamp before it and its weight: one byte below 128 or two below 64 * 256 if the weight is 1, else a
-- byte that states the lengths of both.
local ROOM, HEAD, HEAD_SIZE = 256, '>I7I7I7I7I7I7I7I7I7BBBBB', 68
local FULL_HEAD = '>I7I7I7I7I7I7I7I7I7I7BBBBB' -- with the time of creation
local TAIL, RUNS = 240, 128 -- the bytes and runs of a full tail

-- Passes over runs up to the first with a stamp after `latest` or with P >= `enough`. At most 128 steps.
--   bytes, position, last  the runs, where the first of them starts and where the last ends
--   stamp, sum             the stamp before it, and P there
-- Returns the stamp of the run that was found, its weight, P before it, the position behind it, its own position and the stamp
-- before it. If there is none, the stamp is nil and the others are those of the end.
local function pass(bytes, position, last, stamp, sum, latest, enough)
  while position <= last do
    local first, distance, weight, behind = bytes:byte(position), 0, 1, position + 1
    if first < 128 then
      distance = first
    elseif first < 192 then
      distance, behind = (first - 128) * 256 + bytes:byte(behind), position + 2
    else
      local format = first == 199 and '>I2I1' or first == 206 and '>I3I1'
      distance, weight, behind =
        decode(format or '>I' .. floor((first - 192) / 7) + 1 .. 'I' .. (first - 192) % 7 + 1, bytes, behind)
    end
    if stamp + distance > latest or sum + weight >= enough then
      return stamp + distance, weight, sum, behind, position, stamp
    end
    stamp, sum, position = stamp + distance, sum + weight, behind
  end
  return nil, 0, sum, position, position, stamp
end

-- Returns a run in its bytes.
local function encoded(distance, weight)
  if weight == 1 and distance < 128 then
    return string.char(distance)
  elseif weight == 1 and distance < 16384 then
    return string.char(128 + floor(distance / 256), distance % 256)
  end
  if weight < 256 and distance >= 256 and distance < 16777216 then
    if distance < 65536 then return encode('>BI2B', 199, distance, weight) end
    return encode('>BI3B', 206, distance, weight)
  end
  local long, wide = 1, 1
  while distance >= 256 ^ long do
    long = long + 1
  end
  while weight >= 256 ^ wide do
    wide = wide + 1
  end
  return encode('>BI' .. long .. 'I' .. wide, 192 + 7 * (long - 1) + wide - 1, distance, weight)
end
