-- Decides groups of joint requests, one group after the other. ARGV: time, a byte of flags (1: look and write nothing, 2: add
-- statuses even for one limit), and the groups, packed; the limits of each key. A group: how many keys and kinds of joint request
-- it has, and for each kind how many there are of it, their longest wait and their permits for each key; in order of arrival,
-- decided one by one, each for all of the keys or none.
--
-- Answers, packed, in the same order. An entry is for a number of joint requests one after the other; it begins with its kind and
-- that number. 1, allowed by the only limit, and nothing else to report: remaining after the first (it falls by the permits of
-- each), reset-after, time, and the handle; 3, the same with the longer handle of a schedule. 0, denied by it: remaining,
-- reset-after, time, retry-after. 2, anything else: 1 if allowed, 0 if denied, 2 if denied while blocked; key and limit that are
-- most restrictive, remaining, by how much it falls, wait, retry-after, reset-after, the time on the first key from which the wait
-- counts, the length of the handle and the handle; if blocked the time until the block ends; with several limits or keys their
-- statuses, see decide.lua. A time of -1 is never, a remaining of -1 has no bound.
-- If there are several groups, one that fails is answered by 9, a count of 0, and the length and text of the error; the others
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
local flags = groups:byte(first)
local look, always = flags % 2 == 1, flags >= 2
do
  local at, claim, packed, kind, window, most, tick, identity, burst = first + 1, 1
  while at <= #groups do
    local answer
    local claims, requests, count, patience, permits = struct.unpack('>I2I4I4I7I7', groups, at)
    at = at + 6
    if claims == 1 and not look then
      if ARGV[1 + claim] ~= packed then
        local options, name
        packed = ARGV[1 + claim]
        most, tick, options, kind, window, name = struct.unpack('>I7I7BBI7B', packed)
        identity = #packed == name + 31 and ((kind > 3 and kind < 7) or (kind < 3 and options == 0)) and packed:sub(16, -8)
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
