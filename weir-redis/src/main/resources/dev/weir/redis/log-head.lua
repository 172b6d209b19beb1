-- The state of a log, that of a sliding log or a sliding window.
--
-- Nothing is subtracted because time passes. P(x) is the weight of all runs with a stamp at or before x since the log was last
-- empty; the weight that counts at an instant e is S(e) = P(seen(e)) - P(e - window), where seen(e) is the end of the tick of e.
--
-- The state is a section, see limit.lua, with
--   front    a copy of the block that has the run `next`; empty if that is in the tail
--   RARE     what few logs need, see log-rare.lua
--   tail     the runs before the newest
--   head     newest, newestWeight: the newest run; settled: P before it; next, nextWeight: the oldest run that counts, as far as
--            known; prior: P before it; closed: the stamp of the run before the newest; count: the number of runs in the tail;
--            position: the place behind the run `next`; the sizes of tail and front in bytes; extent: 0 if there is no RARE, 1 if there
--            is, 2 if it is needed, also to drop blocks; and the time of the latest request
-- A log of one entry is cut short: the distance from the creation to the stamp, and the weight.
--
-- A run is the distance to the stamp before it and its weight: if the weight is 1 in one byte below 128, two bytes from 128 * 256 or three
-- from 192 * 65536 on; else a byte that states the lengths of both, and both.
local HEAD, ENTRY = '>I7I7I7I7I7I7I7BBBBBI7', '>I7i4I4' -- a head; a log of one entry, from the time of creation on
local CHANGING = '>c0c0I7I7I7I7I7I7I7BBBBBI7' -- a head behind the tail and its newest run
local FRONT, HEAD_SIZE, RARE_SIZE = 28, 61, 105 -- the place of the front; the bytes of head and RARE
local TAIL, RUNS, EXPIRED = 240, 128, 48 -- the bytes and runs of a full tail; the most expired bytes in it
local SHORT, MIDDLE, LONG = '>BI3B', '>BI4I2', '>BI7I7' -- runs that begin with the bytes 224, 225 and 226

-- Returns the time of creation, the expiry and the head of a state, between two places of a string. If the second is not behind the
-- first, there is none: then the head is that of an empty log that is created now.
local function headOf(state, at, behind, now)
  if behind <= at then return now, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, now end
  if behind == at + 15 then
    local created, ahead, weight = decode(ENTRY, state, at)
    local stamp = created + ahead
    return created, 0, stamp, weight, 0, stamp, weight, 0, ahead < 0 and stamp or created, 0, 1, 0, 0, 0, created
  end
  if behind < at + 14 + HEAD_SIZE then error('WEIR state is damaged') end
  local created, expires = decode('>I7I7', state, at)
  return created, expires, decode(HEAD, state, behind - HEAD_SIZE)
end

-- Passes over runs up to the first with a stamp after `latest` or with P >= `enough`. At most 128 steps.
--   bytes, position, last  the runs, where the first of them starts and where the last ends
--   stamp, sum             the stamp before it, and P there
-- Returns the stamp of the run that was found, its weight, P before it, the position behind it, its own position and the stamp
-- before it. If there is none, the stamp is nil and the others are those of the end.
local function pass(bytes, position, last, stamp, sum, latest, enough)
  while position <= last do
    local distance, second, third = bytes:byte(position, position + 2)
    local weight, behind, _ = 1, position + 1, nil
    if distance > 223 then
      _, distance, weight, behind = decode(distance == 224 and SHORT or distance == 225 and MIDDLE or LONG, bytes, position)
    elseif distance > 191 then
      distance, behind = (distance - 192) * 65536 + second * 256 + third, position + 3
    elseif distance > 127 then
      distance, behind = (distance - 128) * 256 + second, position + 2
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
  if distance < 0 then
    error('WEIR state is damaged')
  elseif weight == 1 and distance < 128 then
    return encode('B', distance)
  elseif weight == 1 and distance < 16384 then
    return encode('>I2', 128 * 256 + distance)
  elseif weight == 1 and distance < 2 ^ 21 then
    return encode('>I3', 192 * 65536 + distance)
  elseif distance < 2 ^ 24 and weight < 256 then
    return encode(SHORT, 224, distance, weight)
  elseif distance < 2 ^ 32 and weight < 65536 then
    return encode(MIDDLE, 225, distance, weight)
  end
  return encode(LONG, 226, distance, weight)
end
