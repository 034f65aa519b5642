-- Nothing in Chinook is scheduled: no answer changes by the clock.
SELECT NULL AS next_change_at
