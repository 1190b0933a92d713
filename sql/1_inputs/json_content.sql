-- What a JSON file with a single object holds, or an object in it: its names, and the types of the values below them.
--
-- Grain:  a single row; none if the file holds several objects.
-- Params: $path, the file; $largest_object, the most bytes of an object; $inside, what the JSON path of the object has
--         below the root.
-- Edges:  a file with an array is one of several objects.
SELECT
  names,
  list_distinct(list_transform(held, LAMBDA each_value: json_type(each_value))) AS types,
  list_distinct(list_transform(in_objects, LAMBDA each_value: json_type(each_value))) AS types_in_objects,
  list_distinct(list_transform(in_arrays, LAMBDA each_value: json_type(each_value))) AS types_in_arrays
FROM (
  SELECT
    json_keys(object) AS names,
    json_extract(object, '$.*') AS held,
    json_extract(object, '$.*.*') AS in_objects,
    json_extract(object, '$.*[*]') AS in_arrays
  FROM (
    SELECT
      max(json_extract(json, '$' || $inside)) AS object,
      count(*) AS objects
    FROM (
      SELECT json
      FROM read_json_objects($path, maximum_object_size = $largest_object)
      LIMIT 2
    ) AS first_objects
  ) AS first_object
  WHERE objects = 1 AND json_type(object) = 'OBJECT'
) AS parts
