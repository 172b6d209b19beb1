-- Removes a key.
return redis.call('UNLINK', KEYS[1], KEYS[2])
