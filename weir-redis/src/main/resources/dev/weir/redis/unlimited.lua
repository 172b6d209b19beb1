-- The limit that never denies. Nothing of it is stored, and nothing can be refunded.
local unlimited = { handle = '' }

function unlimited.open() return {} end

function unlimited.earliest(_, from) return from end

function unlimited.canGrant() return true end

function unlimited.grant() return '' end

function unlimited.remaining() return NEVER end

function unlimited.resetAfter() return 0 end
