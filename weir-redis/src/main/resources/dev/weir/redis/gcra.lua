-- GCRA: permits evenly spaced, burst of them at once.
algorithms[GCRA] = schedule
