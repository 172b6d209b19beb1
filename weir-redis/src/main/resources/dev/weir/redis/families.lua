-- Returns the rules of a kind of limits, which are defined on first use.
local NAMES, defined = { 'log', 'log', 'window', 'schedule', 'schedule', 'schedule', 'unlimited' }, {}

local function rulesOf(kind)
  local name = NAMES[kind]
  defined[name] = defined[name] or families[name]()
  return defined[name]
end
