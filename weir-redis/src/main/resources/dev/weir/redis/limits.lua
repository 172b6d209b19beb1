-- Returns the limits of each key, whose lists are packed.
local function listsIn(packed)
  local lists, at = {}, 1
  while at <= #packed do
    local limits, count = {}, packed:byte(at)
    for n = 1, count do
      limits[n] = limitAt(packed, at + 1 + (n - 1) * LIMIT)
    end
    limits.alone = count == 1 and limits[1]
    lists[#lists + 1], at = limits, at + 1 + count * LIMIT
  end
  return lists
end
