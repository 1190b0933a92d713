-- Qrels in a JSON file {query: {item: relevance}}.
--
-- Grain:  one row per query, with a map from its items to their relevance, which may be empty.
-- Params: $path, the file; $largest_object, the most bytes of an object; $inside, what the JSON path
--         of the queries has below the root.
-- Edges:  ids are text, as names in JSON are. map_from_entries refuses a key that an object holds twice; DuckDB 1 reads
--         such an object.
SELECT
  unnest(map_keys(queries)) AS query,
  unnest(map_values(queries)) AS item
FROM (
  SELECT
    map_from_entries(
      map_entries(from_json_strict(json_extract(json, '$' || $inside), '"MAP(VARCHAR, MAP(VARCHAR, DOUBLE))"'))
    ) AS queries
  FROM read_json_objects($path, maximum_object_size = $largest_object)
) AS objects
