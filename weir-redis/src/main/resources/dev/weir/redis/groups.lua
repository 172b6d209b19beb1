-- Decides the groups of a script.
local decideJointly, decideRest -- joint requests on the straight path, and what it does not decide; defined on first use
local known = {} -- lists of limits by the position of the only one, or by the packed positions
local answers, at, claim = {}, first, 1 -- of the groups so far; the place of the next group, and its first key

-- Returns the limits of each key of a group, whose positions are packed at a place, and the format of its permits for each key.
local function listsAt(place, claims)
  local packed = groups:sub(place, place + 2 * claims - 1)
  if known[packed] then return known[packed] end
  local lists = { size = 0, attempts = false, request = '>I4I7' .. string.rep('I7', claims) }
  for i = 1, claims do
    lists[i] = limitsIn(ARGV[decode('>I2', packed, 2 * i - 1)])
    lists.size = lists.size + #lists[i]
    for _, limit in ipairs(lists[i]) do
      lists.attempts = lists.attempts or limit.flags == ATTEMPTS
    end
  end
  lists.answer = ANSWER .. string.rep('c0', lists.size) .. string.rep(STATUS, lists.size)
  known[claims == 1 and decode('>I2', packed) or packed] = lists
  return lists
end

-- Decides the requests of a group. Returns their answers.
--   claim, lists   the position of the first key of the group, and the limits of each key
--   at, kinds      the place of the requests, and how many kinds there are
--   done, answers  how many of the first are decided, and their answers; nil if none is
local function decideGroup(claim, lists, at, kinds, done, answers)
  local claims, one = #lists, not always and lists[1].alone
  while work < MAX_WORK do
    local request, number, answer = { decode(lists.request, groups, at) }, nil, nil
    local count = request[1]
    if one and claims == 1 then
      number, answer = decideOne(claim, one, count - done, request[2], request[3])
    else
      decideJointly = decideJointly or defineJoint()
      number, answer = decideJointly(claim, lists, count - done, request)
    end
    if not number then break end
    answers, work, done = answers and answers .. answer or answer, work + 1, done + number
    if done == count then
      at, kinds, done = at + 11 + 7 * claims, kinds - 1, 0
      if kinds == 0 then return answers end
    end
  end
  decideRest = decideRest or defineRules()
  local rest = decideRest(claim, lists, at, kinds, done)
  return answers and answers .. rest or rest
end

-- Decides all groups that are left. Most have one kind of request for a key with one limit.
local function decideGroups()
  local n = #answers
  while at <= #groups do
    local claims, kinds, position, count, patience, permits = decode('>I2I4I2I4I7I7', groups, at)
    local place, key, lists, answer = at + 6 + 2 * claims, claim, claims == 1 and known[position] or listsAt(at + 6, claims), nil
    local one = lists[1].alone
    at, claim = place + kinds * (11 + 7 * claims), key + claims
    if claims == 1 and kinds == 1 and one and not always and work < MAX_WORK then
      local number, decided = decideOne(key, one, count, patience, permits)
      answer = number == count and decided or decideGroup(key, lists, place, 1, number or 0, decided)
      work = work + 1
    end
    answers[n + 1] = answer or decideGroup(key, lists, place, kinds, 0)
    n = n + 1
  end
end

repeat
  local done, failure = pcall(decideGroups)
  if not done then
    local text = tostring(type(failure) == 'table' and failure.err or failure):sub(1, 500)
    local refusal = text:match('READONLY.*') or text:match('MASTERDOWN.*')
    if refusal then return { err = refusal } end -- the circuit must know that the server is not a primary
    answers[#answers + 1] = encode('>BI4I2c0', 9, 0, #text, text)
  end
until done
return table.concat(answers)
