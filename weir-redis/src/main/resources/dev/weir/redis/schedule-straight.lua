-- The straight path: the only request of a script, on a state that needs no change of its limit, at once or denied. It returns the
-- answer, or leaves the loop and has written nothing: then schedule.lua decides, by the same rules.
while only and count == 1 and #state >= at + 14 do
  local created, last, arrival, rate, fraction, changes, stored = 0, 0, 0, 0, 0, 0, burst
  if #state == at + 14 then
    created, arrival, rate = decode('>I7I4I4', state, at)
    last, arrival, stored = created, created + arrival, prefix:byte(2) == 6 and 1 or rate
  else
    created, last, arrival, fraction, changes, rate, stored = decode('>I7I7I7I7I3I7I7', state, at)
  end
  burst = decode('>I7', ARGV[2], #ARGV[2] - 6)
  local queued = flag == QUEUE and (arrival > time or arrival == time and fraction > 0)
  if last > time or rate ~= most or stored ~= burst or fraction >= rate or arrival > MOST or permits > burst or queued then
    break -- also if it is damaged
  elseif arrival < time then
    arrival, fraction = time, 0
  end
  local before, beforePart, whole, rest = arrival, fraction, floor(window / rate), window % rate
  local part = (burst - permits) * rest
  local wait = arrival - time - (burst - permits) * whole - floor(part / rate) + (fraction > part % rate and 1 or 0)
  if wait > 0 and wait <= patience or (arrival - time + whole * permits + permits + 1) * rate > MOST then
    break
  elseif wait <= 0 then
    part = permits * rest
    arrival, fraction = arrival + permits * whole + floor(part / rate), fraction + part % rate
    if fraction >= rate then
      arrival, fraction = arrival + 1, fraction - rate
    end
  end
  local reset = arrival - time + (fraction > 0 and 1 or 0)
  local remaining = max(0, burst - ceil(((arrival - time) * rate + fraction) / window))
  if wait > 0 then return encode('>BI4I7i8I7I7', 0, 1, remaining, wait, reset, time) end
  call('SET', KEYS[1], prefix .. encode('>I7I7I7I7I3I7I7', created, time, arrival, fraction, changes, rate, burst), 'PX',
    ceil(reset / 1000) + 1000 + spare)
  return encode('>BI4I7I7I7I7BI7I7I7I7I7I7I7I7', 1, 1, remaining, 0, reset, time, 56, created, changes, arrival, fraction, before,
    beforePart, time, permits)
end
