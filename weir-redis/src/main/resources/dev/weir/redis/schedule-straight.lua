-- The straight path of GCRA, token and leaky buckets, see straight.lua: a state that needs no change of its limit.
local function scheduleStraight(limit, state, at, behind, permits, count, dry)
  local most, window, burst = limit.permits, limit.window, limit.burst
  local usual = limit.kind == 6 and 1 or most
  local created, last, arrival, fraction, changes, rate, stored = time, 0, 0, 0, 0, most, burst
  if behind == at + 15 then
    created, arrival, rate = decode('>I7I4I4', state, at)
    last, arrival, stored = created, created + arrival, limit.kind == 6 and 1 or rate
  elseif behind == at + 45 then
    created, last, arrival, fraction, changes, rate, stored = decode('>I7I7I7I7I3I7I7', state, at)
  elseif behind > at then
    return
  end
  local queued = limit.flags == QUEUE and (arrival > time or arrival == time and fraction > 0)
  if last > time or rate ~= most or stored ~= burst or fraction >= rate or arrival > MOST or permits > burst or queued then
    return -- also if it is damaged
  elseif arrival < time then
    arrival, fraction = time, 0
  end
  local before, beforePart, whole, rest = arrival, fraction, floor(window / rate), window % rate
  local part = (burst - permits) * rest
  local wait = arrival - time - (burst - permits) * whole - floor(part / rate) + (fraction > part % rate and 1 or 0)
  if (arrival - time + whole * permits + permits + 1) * rate > MOST then
    return
  elseif wait <= 0 and not dry then
    part = permits * rest
    arrival, fraction = arrival + permits * whole + floor(part / rate), fraction + part % rate
    if fraction >= rate then
      arrival, fraction = arrival + 1, fraction - rate
    end
  end
  local reset, ahead, changed = arrival - time + (fraction > 0 and 1 or 0), arrival - time, nil
  local remaining = max(0, burst - ceil(((arrival - time) * rate + fraction) / window))
  if wait > 0 or dry then return count, max(0, wait), remaining, reset end
  if behind == at and fraction == 0 and burst == usual and ahead < 2 ^ 32 and rate < 2 ^ 32 then
    changed = encode('>I7I4I4', time, ahead, rate)
  else
    changed = encode('>I7I7I7I7I3I7I7', created, time, arrival, fraction, changes, rate, burst)
  end
  return 1, 0, remaining, reset, encode('>I7I7I7I7I7I7I7I7', created, changes, arrival, fraction, before, beforePart, time, permits),
    changed, ceil(reset / 1000) + 1000 + spare
end
