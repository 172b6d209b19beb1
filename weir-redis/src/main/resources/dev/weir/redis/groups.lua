-- Decides the groups of a script.
local decideRest -- the requests that the straight path does not decide; defined on first use

-- Decides the requests of a group. Returns their answers.
--   claim, claims  the position of the first key of the group, and how many keys there are
--   at, kinds      the place of the requests, and how many kinds there are
local function decideGroup(claim, claims, at, kinds)
  local limits, answers, done = limitsOf(ARGV[1 + claim]), nil, 0 -- how many of the next requests are done
  local one = claims == 1 and limits.alone and not always
  while kinds > 0 and work < MAX_WORK do
    local count, patience, permits = decode('>I4I7I7', groups, at)
    count = count - done
    local number, answer
    if one then
      number, answer = decideOne(claim, limits, count, patience, permits)
    else
      permits = { decode('>' .. string.rep('I7', claims), groups, at + 11) }
      number, answer = decideJointly(claim, claims, count, patience, permits)
    end
    if not number then break end
    answers, work = answers and answers .. answer or answer, work + 1
    if number == count then
      at, kinds, done = at + 11 + 7 * claims, kinds - 1, 0
    else
      done = done + number
    end
  end
  if kinds == 0 then return answers end
  decideRest = decideRest or defineRules()
  local rest = decideRest(claim, claims, at, kinds, done)
  return answers and answers .. rest or rest
end

local claims, kinds = decode('>I2I4', groups, first + 1)
if #KEYS == 2 * claims then return decideGroup(1, claims, first + 7, kinds) end

local answers, at, claim = {}, first + 1, 1
while at <= #groups do
  claims, kinds = decode('>I2I4', groups, at)
  local done, answer = pcall(decideGroup, claim, claims, at + 6, kinds)
  if not done then
    local text = tostring(type(answer) == 'table' and answer.err or answer):sub(1, 500)
    answer = encode('>BI4I2c0', 9, 0, #text, text)
  end
  answers[#answers + 1] = answer
  at, claim = at + 6 + kinds * (11 + 7 * claims), claim + claims
end
return table.concat(answers)
