-- What the run holds for every query, as far down as any metric looks.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $item_low, the smallest of the run's items.
-- Plan:   from packed lists, in which an item is a small number: they are so short that looking through one for each of
--         its items takes less than to sort it.
-- Edges:  repeated_item is NULL in a sound list; otherwise the last item that the list holds more than once.
SELECT
  model AS model,
  query AS query,
  CAST(len(items) AS BIGINT) AS candidates,
  CAST(len(items) AS BIGINT) AS recommended,
  CAST($item_low AS BIGINT) + list_max(repeated) AS repeated_item
FROM (
  SELECT
    model AS model,
    query AS query,
    items AS items,
    list_transform(
      list_filter(range(1, len(items) + 1), LAMBDA n: list_position(items, items[n]) < n), LAMBDA n: items[n]
    ) AS repeated
  FROM packed
) AS looked_through
