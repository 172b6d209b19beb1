-- The sliding log: a booking at once is stamped with the end of its tick, one that waits with its own instant.
algorithms[SLIDING_LOG] = setmetatable({
  stamp = tickEnd,
  stampOfWaiter = function(_, instant)
    return instant
  end,
  visible = tickEnd,
}, { __index = log })
