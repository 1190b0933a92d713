-- A run in a JSON file {query: {item: score}}.
--
-- Grain:  one row per item of a query.
-- Params: $path, the file; $largest_object, the most bytes of an object; $inside, what the JSON path
--         of the queries has below the root.
-- Edges:  ids are text, as names in JSON are. map_from_entries refuses a key that an object holds twice; DuckDB 1 reads
--         such an object.
SELECT
  query,
  unnest(map_keys(items)) AS item,
  unnest(map_values(items)) AS score
FROM (
  SELECT
    unnest(map_keys(queries)) AS query,
    map_from_entries(map_entries(unnest(map_values(queries)))) AS items
  FROM (
    SELECT
      map_from_entries(
        map_entries(
          from_json_strict(json_extract(json, '$' || $inside), '"MAP(VARCHAR, MAP(VARCHAR, DOUBLE))"')
        )
      ) AS queries
    FROM read_json_objects($path, maximum_object_size = $largest_object)
  ) AS objects
) AS lists
