-- The names of everything in a schema of the current database.
--
-- Grain:  one row per object.
-- Params: $schema, the name of the schema.
SELECT object_name
FROM (
  SELECT function_name AS object_name
  FROM duckdb_functions()
  WHERE schema_name = $schema AND database_name = current_database()
  UNION
  SELECT table_name AS object_name
  FROM duckdb_tables()
  WHERE schema_name = $schema AND database_name = current_database()
  UNION
  SELECT view_name AS object_name
  FROM duckdb_views()
  WHERE schema_name = $schema AND database_name = current_database()
  UNION
  SELECT type_name AS object_name
  FROM duckdb_types()
  WHERE schema_name = $schema AND database_name = current_database()
  UNION
  SELECT sequence_name AS object_name
  FROM duckdb_sequences()
  WHERE schema_name = $schema AND database_name = current_database()
) AS objects
