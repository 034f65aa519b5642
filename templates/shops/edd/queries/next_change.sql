-- Nothing changes by the clock alone: what is scheduled, WordPress publishes by a write.
SELECT NULL AS next_change_at
