-- Returns the limits of a list that is packed.
local function limitsIn(packed)
  local limits = {}
  for at = 1, #packed, LIMIT do
    limits[#limits + 1] = limitAt(packed, at)
  end
  limits.alone = #limits == 1 and limits[1]
  return limits
end
