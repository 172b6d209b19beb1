-- The sliding window: a log whose ticks are a bucket long. The classic estimate forgets a bucket by its start.
local function bucketStart(m, instant)
  return instant - instant % m.limit.tick
end

algorithms[SLIDING_WINDOW] = setmetatable({
  stamp = function(m, now)
    return m.limit.classic and bucketStart(m, now) or tickEnd(m, now)
  end,
  stampOfWaiter = function(m, instant)
    return m.limit.classic and bucketStart(m, instant) or instant
  end,
  visible = function(m, instant)
    return m.limit.classic and instant or tickEnd(m, instant)
  end,
}, { __index = log })
