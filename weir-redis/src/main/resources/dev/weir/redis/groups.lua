-- Decides the groups of a script.
local decideRest -- the requests that the straight path does not decide; defined on first use

-- Decides the requests of a group. Returns their answers.
--   claim, claims             the position of the first key of the group, and how many keys there are
--   at, kinds                 the place of the requests, and how many kinds there are
--   count, patience, permits  of the first kind: the number of requests, the longest wait, and the permits for the first key
local function decideGroup(claim, claims, at, kinds, count, patience, permits)
  local limits, answers, done = limitsOf(ARGV[1 + claim]), nil, 0 -- how many of the next requests are done
  local one, number, answer = claims == 1 and not always and limits.alone, nil, nil
  repeat
    if one then
      number, answer = decideOne(claim, one, count, patience, permits)
    else
      local each = { decode('>' .. string.rep('I7', claims), groups, at + 11) }
      number, answer = decideJointly(claim, claims, count, patience, each)
    end
    if number then
      answers, work = answers and answers .. answer or answer, work + 1
      count, done = count - number, done + number
    end
    if number and count == 0 then
      at, kinds, done = at + 11 + 7 * claims, kinds - 1, 0
      if kinds == 0 then return answers end
      count, patience, permits = decode('>I4I7I7', groups, at)
    end
  until not number or work >= MAX_WORK
  decideRest = decideRest or defineRules()
  local rest = decideRest(claim, claims, at, kinds, done)
  return answers and answers .. rest or rest
end

if #KEYS == 2 * claims then return decideGroup(1, claims, first + 6, kinds, count, patience, permits) end

local answers, at, claim = {}, first, 1
while at <= #groups do
  claims, kinds, count, patience, permits = decode('>I2I4I4I7I7', groups, at)
  local done, answer = pcall(decideGroup, claim, claims, at + 6, kinds, count, patience, permits)
  if not done then
    local text = tostring(type(answer) == 'table' and answer.err or answer):sub(1, 500)
    answer = encode('>BI4I2c0', 9, 0, #text, text)
  end
  answers[#answers + 1] = answer
  at, claim = at + 6 + kinds * (11 + 7 * claims), claim + claims
end
return table.concat(answers)
