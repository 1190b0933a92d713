-- Qrels in a JSON file that holds a list of queries, each with a list of ratings.
--
-- Grain:  one row per query, with a map from its items to their relevance, which may be empty.
-- Params: $path, the file; $largest_object, the most bytes of an object; the names $queries of the list, and
--         $query_name and $item_name of an id.
-- Source: the judgments of OpenSearch's search relevance plugin, and the requests of rank_eval in Elasticsearch.
-- Edges:  ids are text; a rating is a number, also in quotes.
SELECT
  json_extract_string(one_query, '$.' || $query_name) AS query,
  map(
    json_extract_string(one_query, '$.ratings[*].' || $item_name),
    CAST(json_extract_string(one_query, '$.ratings[*].rating') AS DOUBLE[])
  ) AS item
FROM (
  SELECT unnest(json_extract(json, '$.' || $queries || '[*]')) AS one_query
  FROM read_json_objects($path, maximum_object_size = $largest_object)
) AS queries
