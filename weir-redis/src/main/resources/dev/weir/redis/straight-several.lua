-- The only request of a script for a key with several limits is decided before anything else is defined, too.
if lone and #ARGV[2] > 1 + LIMIT and not peek then
  local changeSections, write, statusesOf = defineSections()
  local limits, state = listsIn(ARGV[2])[1], call('GET', KEYS[1]) or ''
  local granted, changed, _, millis, answer = changeSections(state, limits, permits, 1, false)
  if granted then
    write(KEYS[1], changed, nil, millis)
    return encode(HEADER, 1, 1, time) .. answer
  end
  local statuses, wait, attempts = statusesOf(state, limits, permits, 1)
  if statuses and wait > maxWait and not attempts then return encode(ANSWER, 2, 1, 0, 0, wait, time, 0) .. statuses end
end
