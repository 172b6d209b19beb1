-- Decides the joint requests of each group, one after the other: each is granted for all its keys and limits, or denied.
--
-- Answers, packed, in the order of requests. An entry is for a number of equal requests that follow each other:
--   0  denied by the only limit: number (4), remaining (7), retry-after (8), reset-after (7), time (7)
--   1  allowed by it: number, remaining after the first, wait (7), reset-after, time, length of the handle (1), handle. Remaining
--      falls by the permits of each
--   2  anything else, see joint.lua
--   8  number (4): not decided, because the script has worked for long enough
--   9  a group that failed: 0 (4), the length (2) and text of the error. Other groups are decided all the same
-- Times are microseconds; a retry-after of -1 is never.
--
-- `rules` are those of the algorithm, for `target`, its state; or those of joint.lua.
local MAX_WORK = 400 -- requests and steps, each of a few microseconds
local work = 0
local joint, defineJoint

-- Packs the answer of the only limit of a key.
local function plainAnswer(rules, m, count, allowed, wait, handle)
  local remaining, reset = checked(rules.remaining(m)), checked(rules.resetAfter(m))
  if allowed then
    return encode('>BI4I7I7I7I7Bc0', 1, count, remaining, checked(wait), reset, m.now, #handle, handle)
  end
  return encode('>BI4I7i8I7I7', 0, count, remaining, wait == NEVER and -1 or checked(wait), reset, m.now)
end

-- Grants equal requests. Returns how many, and the answer.
local function granted(rules, target, count, wait, permits)
  local handle = not look and rules.grant(target, wait, permits, 1) or ''
  local answer, step = rules.answer or plainAnswer, 0
  local remaining = rules.remaining(target)
  if wait == 0 and count > 1 and not look then
    step = rules.step(target, permits)
  end
  local further = step > 0 and min(count - 1, floor(remaining / step)) or 0
  local packed = answer(rules, target, 1 + further, true, wait, handle, permits, step)
  if further > 0 then
    rules.grant(target, 0, permits, further)
  end
  return 1 + further, packed
end

-- Decides the first of a number of equal requests, and those after it that are sure to have the same answer. Returns how many that
-- were, and the answer.
local function decide(rules, target, count, patience, permits)
  steps, rounds, exhausted = 0, 0, false
  local wait = rules.earliest(target, 0, permits)
  local inTime = wait == 0 or wait ~= NEVER and wait <= patience - target.lag
  if inTime and rules.canGrant(target, wait, permits) then return granted(rules, target, count, wait, permits) end
  if inTime and rules.retryAfter then
    wait = rules.retryAfter(target, wait, permits)
  end
  if rules.recordDenied and not look and rules.recordDenied(target, permits) then
    count, wait = 1, rules.earliest(target, 0, permits)
  end
  local answer = rules.answer or plainAnswer
  return count, answer(rules, target, count, false, wait, '', permits, 0)
end

-- Decides the joint requests of a group, packed from a place on. Returns their answers.
local function decideAll(rules, target, claims, at, kinds)
  local answers = {}
  for _ = 1, kinds do
    local count, patience, permits = decode('>I4I7I7', groups, at)
    at = at + 11 + 7 * claims
    if rules == joint then
      permits = { decode('>' .. string.rep('I7', claims), groups, at - 7 * claims) }
    end
    while count > 0 do
      local decided
      if work < MAX_WORK then
        decided, answers[#answers + 1] = decide(rules, target, count, patience, permits)
      else
        decided, answers[#answers + 1] = count, encode('>BI4', 8, count)
      end
      count, work = count - decided, work + (target.size or 1) + rounds + 8 * steps
    end
  end
  return answers[2] and table.concat(answers) or answers[1]
end

-- Returns the limit and the state of a key that has one limit and nothing else: no block, no other limits, no change of its window.
-- The state is false if there is none. Else returns nothing.
local function alone(claim)
  local packed = ARGV[1 + claim]
  local limit, behind = limitAt(packed, 1)
  if behind > #packed then
    local known, prefix = state, limit.prefix
    if claim > 1 or known == nil then
      known = call('GET', KEYS[2 * claim - 1])
    end
    if not known or known:sub(1, #prefix) == prefix then return limit, known end
  end
end

-- Decides a group, whose keys begin with the claim-th.
local function decideGroup(claim, claims, at, kinds)
  local limit, state, m
  if family and claims == 1 and not always then
    limit, state = alone(claim)
    m = limit and family.open(state, limit, time, KEYS[2 * claim], false)
  end
  if m and m.last <= time then
    local answers = decideAll(family, m, 1, at, kinds)
    if m.changed and not look then
      family.save(m, KEYS[2 * claim - 1])
    end
    return answers
  end
  if together and flags == 0 and kinds == 1 and decode('>I4', groups, at) == 1 then
    local answer = together(claim, claims, at)
    if answer then
      work = work + 2 * claims
      return answer
    end
  end
  if not joint then
    defineJoint()
  end
  return joint.decideAll(claim, claims, at, kinds)
end
