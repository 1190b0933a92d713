-- The number of labels in lists with more labels than were kept.
--
-- Grain:  one row.
-- Params: none.
-- Plan:   before these lists are read again with all their labels.
SELECT CAST(sum(labels) AS BIGINT) AS labels
FROM tops
WHERE is_open = 2
