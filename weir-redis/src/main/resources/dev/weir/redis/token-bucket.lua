-- The token bucket: a full one holds burst tokens, and it refills evenly.
algorithms[TOKEN_BUCKET] = schedule
