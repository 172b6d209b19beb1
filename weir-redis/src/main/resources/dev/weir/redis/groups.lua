-- Decides the groups of a script.
local decideJointly, decideRest -- joint requests on the straight path, and what it does not decide; defined on first use
local known = {} -- the limits of joint requests, by their position
local answers, at, claim = {}, first, 1 -- of the groups so far; the place of the next group, and its first key

setmetatable(texts, {
  __index = function(known, number)
    known[number] = ('%d'):format(number)
    return known[number]
  end,
})

-- Returns the limits of each key of joint requests, and the formats of a request and of an answer.
local function listsAt(position)
  local lists = listsIn(ARGV[position])
  lists.size, lists.attempts, lists.request = 0, false, '>I4I7' .. string.rep('I7', #lists)
  for _, limits in ipairs(lists) do
    lists.size = lists.size + #limits
    for _, limit in ipairs(limits) do
      lists.attempts = lists.attempts or limit.flags == ATTEMPTS
    end
  end
  lists.answer = ANSWER .. string.rep('c0', lists.size) .. string.rep(STATUS, lists.size)
  known[position] = lists
  return lists
end

-- Decides the requests of a group. Returns their answers.
--   claim, lists   the position of the first key of the group, and the limits of each key
--   at, kinds      the place of the requests, and how many kinds there are
--   done, answers  how many of the first are decided, and their answers; nil if none is
local function decideGroup(claim, lists, at, kinds, done, answers)
  local claims, one = #lists, not always and lists[1].alone
  while work < MAX_WORK do
    local count, patience, permits = decode('>I4I7I7', groups, at)
    local number, answer
    if one and claims == 1 then
      number, answer = decideOne(claim, one, count - done, patience, permits)
    else
      decideJointly = decideJointly or defineJoint()
      number, answer = decideJointly(claim, lists, count - done, patience, permits, at + 11)
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
    local kinds, position, count, patience, permits = decode('>I4I2I4I7I7', groups, at)
    local place, key, lists, answer = at + 6, claim, known[position] or listsAt(position), nil
    local claims, one = #lists, lists[1].alone
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
