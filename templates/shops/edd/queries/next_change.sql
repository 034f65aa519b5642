-- No answer changes without a write: WordPress publishes scheduled posts with an update.
SELECT NULL AS next_change_at
