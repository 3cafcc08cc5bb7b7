"""A fuzzing harness that stays: ``make fuzz``, for as many minutes as you give it."""
