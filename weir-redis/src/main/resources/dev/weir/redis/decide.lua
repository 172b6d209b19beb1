-- Decides the joint requests of each group, one after the other: each is granted for all its keys and limits, or denied.
--
-- `rules` are those of the algorithm, for `target`, its state; or those of joint.lua.
local joint, defineJoint

-- Packs the answer of the only limit of a key.
local function plainAnswer(rules, m, count, allowed, wait, handle)
  local remaining, reset = checked(rules.remaining(m)), checked(rules.resetAfter(m))
  if allowed then
    return encode(ALLOWED, 1, count, remaining, checked(wait), reset, m.now, #handle, handle)
  end
  return encode(DENIED, 0, count, remaining, wait == NEVER and -1 or checked(wait), reset, m.now)
end

-- Decides the first of a number of equal requests, and those after it that are sure to have the same answer. Returns how many that
-- were, and the answer.
local function decide(rules, target, count, patience, permits)
  steps, rounds, exhausted = 0, 0, false
  local answer, wait = rules.answer or plainAnswer, rules.earliest(target, 0, permits)
  local inTime = wait == 0 or wait ~= NEVER and wait <= patience - target.lag
  if inTime and rules.canGrant(target, wait, permits) then
    local handle = not look and rules.grant(target, wait, permits) or ''
    return 1, answer(rules, target, 1, true, wait, handle, permits)
  end
  if inTime and rules.retryAfter then
    wait = rules.retryAfter(target, wait, permits)
  end
  if rules.recordDenied and not look and rules.recordDenied(target, permits) then
    count, wait = 1, rules.earliest(target, 0, permits)
  end
  return count, answer(rules, target, count, false, wait, '', permits)
end

-- Decides the joint requests of a group, packed from a place on, of which a number are done. Returns their answers.
local function decideAll(rules, target, claims, at, kinds, done)
  local answers = {}
  for _ = 1, kinds do
    local count, patience, permits = decode('>I4I7I7', groups, at)
    at, count, done = at + 11 + 7 * claims, count - done, 0
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

-- Returns the state of the limit of a key that has one limit and nothing else: no block, no other limits, no change of its window.
-- Else returns nothing.
local function alone(claim)
  local limit = limitsOf(ARGV[1 + claim]).alone
  local state = limit and call('GET', KEYS[2 * claim - 1])
  if limit and (not state or state:find(limit.prefix, 1, true) == 1) then
    return family.open(state, limit, time, KEYS[2 * claim], false)
  end
end

-- Decides what is left of a group, whose keys begin with the claim-th. Returns the answers.
local function decideRest(claim, claims, at, kinds, done)
  local m = family and claims == 1 and not always and alone(claim)
  if m and m.last <= time then
    local answers = decideAll(family, m, 1, at, kinds, done)
    if m.changed and not look then
      family.save(m, KEYS[2 * claim - 1])
    end
    return answers
  elseif not joint then
    defineJoint()
  end
  return joint.decideAll(claim, claims, at, kinds, done)
end
