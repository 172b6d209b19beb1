-- Decides the groups of a script.
local decideJointly, decideRest -- what is defined on first use: joint requests on the straight path, and what it does not decide
local known = {} -- the limits of joint requests, by their position
local answers, at, decided, keyNumber = {}, first, 0, 1 -- of the groups so far; the place of the next, how many equal to it are decided, its key

setmetatable(texts, {
  __index = function(known, number)
    known[number] = ('%d'):format(number)
    return known[number]
  end,
})

-- Returns the limits of each key of joint requests, whose position is new, with the only limit if there is only one.
local function listsAt(position)
  local lists = listsIn(ARGV[position])
  known[position], lists.only = lists, #lists == 1 and lists[1].alone
  if not lists.only then decideJointly = decideJointly or defineJoint() end
  return lists
end

-- Decides the first of a number of equal requests on the straight path. Returns how many it decided, and their answer; or nothing.
--   at  the place of the permits
local function decideFirst(keyNumber, lists, count, maxWait, permits, at)
  if lists.only then return decideOne(keyNumber, lists.only, count, maxWait, permits) end
  return decideJointly(keyNumber, lists, count, maxWait, at)
end

-- Decides the requests of a group. Returns their answers.
--   keyNumber, lists         the position of the first key of the group, and the limits of each key
--   at, kinds                the place of the requests, and how many kinds there are
--   count, maxWait, permits  of the first kind, the permits for the first key
--   tried                    whether the straight path does not decide the first request
local function decideGroup(keyNumber, lists, at, kinds, count, maxWait, permits, tried)
  local keyCount, answers, done = #lists, nil, 0
  while not tried and work < MAX_WORK do
    local number, answer = decideFirst(keyNumber, lists, count - done, maxWait, permits, at + 11)
    if not number then break end
    answers, work, done = answers and answers .. answer or answer, work + 1, done + number
    if done == count then
      kinds, at, done = kinds - 1, at + 11 + 7 * keyCount, 0
      if kinds == 0 then return answers end
      count, maxWait, permits = decode('>I4I7I7', groups, at)
    end
  end
  if answers and KEYS[1] == KEYS[2] then work = MAX_WORK end -- the rest might fail, see hashOf, but some may have been granted
  decideRest = decideRest or defineRules()
  return decideRest(keyNumber, lists, at, kinds, done, answers)
end

-- Decides all groups that are left. Most have one request for a key with one limit.
local function decideGroups()
  local n = #answers
  while at <= #groups do
    local equal, kinds, position, count, maxWait, permits = decode('>I2I4I2I4I7I7', groups, at)
    local place, lists = at + 8, known[position] or listsAt(position)
    local keyCount, single = #lists, count == 1 and kinds == 1
    while decided < equal do
      local key, answer, _ = keyNumber, nil, nil
      keyNumber, decided = keyNumber + keyCount, decided + 1
      if single and work < MAX_WORK and (peek or not lone) then -- else it is tried already
        _, answer = decideFirst(key, lists, 1, maxWait, permits, place + 11)
        work = work + 1
      end
      answers[n + 1] = answer or decideGroup(key, lists, place, kinds, count, maxWait, permits, single)
      n = n + 1
    end
    at, decided = place + kinds * (11 + 7 * keyCount), 0
  end
end

repeat
  local done, failure = pcall(decideGroups)
  if not done then
    local text = tostring(type(failure) == 'table' and failure.err or failure):sub(1, 500)
    local refusal = text:match('READONLY.*') or text:match('MASTERDOWN.*') or text:match('TRYAGAIN The slot moves.*')
    if refusal then return { err = refusal } end -- the server is not a primary, as its circuit must know; or nothing was decided
    answers[#answers + 1] = encode('>BI4I2c0', 9, 0, #text, text)
  end
until done
return table.concat(answers)
