-- Decides on groups of requests, one group after the other. ARGV: time, 1 to look and write nothing, and the groups, packed;
-- the limits of each key. A group: how many keys and kinds of request it has, and for each kind how many there are of it,
-- their patience and their permits for each key; in order of arrival, decided one by one, each for all of the keys or none.
--
-- Answers, packed, in the same order. One is for so many requests one after the other; it begins with its kind and how many
-- they are. 1, admitted by the only limit, and nothing else to say: remaining after the first (it falls by the permits of
-- each), reset, time, and the handle; 3, the same with the longer handle of a schedule. 0, denied by it: remaining, reset,
-- time, retry. 2, anything else: allowed, key and limit that bound, remaining, by how much it falls, wait, retry, reset, the
-- time of the first key, so that what is booked is booked at that time and the wait, and the length of the handle and the
-- handle. A time of -1 is never.
-- Where there are several groups, one that fails is answered by 9, a count of 0, and the length and text of the error; the others
-- are decided all the same.
local groups, answers, others = ARGV[1], nil, nil

local function guarded(decide, ...)
  if #KEYS == 2 then
    return decide(...)
  end
  local done, answer = pcall(decide, ...)
  if done then
    return answer
  end
  local text = tostring(type(answer) == 'table' and answer.err or answer):sub(1, 500)
  return struct.pack('>BI4I2c0', 9, 0, #text, text)
end

local first = groups:byte() == 0 and 2 or 10
local look = groups:byte(first) == 1
do
  local at, claim, packed, kind, window, most, tick, identity, burst = first + 1, 1
  while at <= #groups do
    local answer
    local claims, requests, count, patience, permits = struct.unpack('>I2I4I4I7I7', groups, at)
    at = at + 6
    if claims == 1 and not look then
      if ARGV[1 + claim] ~= packed then
        local flags, name
        packed = ARGV[1 + claim]
        most, tick, flags, kind, window, name = struct.unpack('>I7I7BBI7B', packed)
        identity = #packed == name + 31 and (kind > 3 or (kind < 3 and flags == 0)) and packed:sub(16, -8)
        burst = kind > 3 and struct.unpack('>I7', packed, name + 25)
      end
      local name = KEYS[2 * claim - 1]
      if identity and burst then
        answer = guarded(plainSchedule, time, name, kind, window, most, burst, identity, groups, at + 18, requests, count,
          patience, permits)
      elseif identity then
        answer = guarded(plain, time, name, window, most, tick, identity, groups, at + 18, requests, count, patience, permits)
      end
    end
    if answer and #KEYS == 2 then
      return answer
    end
    answers, others = answers or {}, others or {}
    answers[#answers + 1] = answer or ''
    if not answer then
      others[#others + 1] = { #answers, claim, claims, at, requests }
    end
    at, claim = at + requests * (11 + 7 * claims), claim + claims
  end
end
if #others == 0 then
  return table.concat(answers)
end
