-- The leaky bucket as a queue: who comes leaves after those before; burst is the room in the queue.
algorithms[LEAKY_BUCKET] = schedule
