-- A run or qrels in a JSON file {query: [items]}.
--
-- Grain:  one row per query, with a list of its items, which may be empty.
-- Params: $path, the file; $largest_object, the most bytes of an object; $inside, what the JSON path
--         of the lists has below the root.
-- Edges:  ids are text. map_from_entries refuses a key that an object holds twice; DuckDB 1 reads such an object.
SELECT
  unnest(map_keys(queries)) AS query,
  unnest(map_values(queries)) AS item
FROM (
  SELECT
    map_from_entries(
      map_entries(from_json_strict(json_extract(json, '$' || $inside), '"MAP(VARCHAR, VARCHAR[])"'))
    ) AS queries
  FROM read_json_objects($path, maximum_object_size = $largest_object)
) AS objects
