-- Returns the limits of each key, whose lists are packed, and how many they are.
local function listsIn(packed)
  local lists, at = { size = 0, at = 0, only = false }, 1
  while at <= #packed do
    local count = packed:byte(at)
    local limits = { limitAt(packed, at + 1), alone = false, wanted = 0 }
    for n = 2, count do
      limits[n] = limitAt(packed, at + 1 + (n - 1) * LIMIT)
    end
    limits.alone = count == 1 and limits[1]
    lists[#lists + 1], lists.size, at = limits, lists.size + count, at + 1 + count * LIMIT
  end
  return lists
end
