-- Decides the groups of a script.
local claims, kinds = decode('>I2I4', groups, first + 1)
if #KEYS == 2 * claims then return decideGroup(1, claims, first + 7, kinds) end

-- Decides a group; an error is its answer.
local function guarded(...)
  local done, answer = pcall(decideGroup, ...)
  if done then return answer end
  local text = tostring(type(answer) == 'table' and answer.err or answer):sub(1, 500)
  return encode('>BI4I2c0', 9, 0, #text, text)
end

local answers, at, claim = {}, first + 1, 1
while at <= #groups do
  claims, kinds = decode('>I2I4', groups, at)
  answers[#answers + 1] = guarded(claim, claims, at + 6, kinds)
  at, claim = at + 6 + kinds * (11 + 7 * claims), claim + claims
end
return table.concat(answers)
