-- The straight path: the only request of a script, in a window that has begun and is the only one, at once or denied. It returns the
-- answer, or leaves the loop and has written nothing: then fixed-window.lua decides, by the same rules.
while only and count == 1 and permits <= most do
  local created, last, first, start, counted = 0, 0, 0, 0, 0
  local short = #state == at + 14
  if short then
    created, counted, first = decode('>I7I7B', state, at)
    last, start = created, first == 1 and created or created - created % window
  elseif #state == at + 30 then
    created, last, first, start, counted = decode('>I7I7I3I7I7', state, at)
  end
  local ends = start + window
  if last > time or start > time or ends <= time or first % 2 ~= (flag == FIRST and 1 or 0) or counted > MOST then
    break -- also if it is damaged
  elseif counted + permits > most then
    if ends - time <= patience then break end
    return encode('>BI4I7i8I7I7', 0, 1, max(0, most - counted), ends - time, ends - time, time)
  end
  counted = counted + permits
  if short then
    call('SET', KEYS[1], prefix .. encode('>I7I7I3I7I7', created, time, first, start, counted), 'KEEPTTL')
  else
    call('SETRANGE', KEYS[1], at + 6, encode('>I7I3I7I7', time, first, start, counted))
  end
  return encode('>BI4I7I7I7I7BI7I3I7', 1, 1, most - counted, 0, ends - time, time, 17, created, floor(first / 2), start)
end
