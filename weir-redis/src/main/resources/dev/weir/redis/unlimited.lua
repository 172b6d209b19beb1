-- The limit that never denies. It is stateless: nothing of it is stored, and nothing can be refunded.
local unlimited = { PLACE = '', stateless = true }

function unlimited.earliest(_, _, from)
  return from
end

function unlimited.canBook()
  return true
end

function unlimited.book()
  return ''
end

function unlimited.giveBack() end

function unlimited.takesFromWhatRemains()
  return true
end

function unlimited.denied()
  return false
end

function unlimited.remaining()
  return math.huge
end

function unlimited.resetAfter()
  return 0
end

function unlimited.expires()
  return 0
end

function unlimited.clockStepped() end

function unlimited.unpack() end

algorithms[UNLIMITED] = unlimited
