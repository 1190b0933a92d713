-- The operations on lists that the functions of lists use, in BigQuery's SQL. No function there takes a lambda, so subqueries read the items.
-- A list in a table is never NULL there, so an empty list of grades means that none are given, as NULL does.
CREATE FUNCTION list_extract(items, place) AS items[SAFE_ORDINAL(place)];
CREATE FUNCTION list_position(items, item) AS
(SELECT MIN(_before) + 1 FROM UNNEST(items) AS _item WITH OFFSET AS _before WHERE _item = item);
CREATE FUNCTION list_length(items) AS ARRAY_LENGTH(items);
CREATE FUNCTION list_sum(numbers) AS COALESCE((SELECT SUM(_number) FROM UNNEST(numbers) AS _number), 0);
CREATE FUNCTION list_max(numbers) AS (SELECT MAX(_number) FROM UNNEST(numbers) AS _number);

-- list_transform: a value of each item. The item takes the name of the lambda's parameter.
CREATE FUNCTION value_of_each(items, value) AS
ARRAY(SELECT value FROM UNNEST(items) AS _item WITH OFFSET AS _before ORDER BY _before);
CREATE FUNCTION places_of(items) AS GENERATE_ARRAY(1, ARRAY_LENGTH(items));
CREATE FUNCTION running_sums(numbers) AS
ARRAY(
  SELECT SUM(COALESCE(_number, 0)) OVER (ORDER BY _before)
  FROM UNNEST(numbers) AS _number WITH OFFSET AS _before
  ORDER BY _before
);

-- The places of numbers in their order.
CREATE FUNCTION order_up(numbers) AS
ARRAY(SELECT _before + 1 FROM UNNEST(numbers) AS _number WITH OFFSET AS _before ORDER BY _number, _before);
CREATE FUNCTION order_down(numbers) AS
ARRAY(SELECT _before + 1 FROM UNNEST(numbers) AS _number WITH OFFSET AS _before ORDER BY _number DESC, _before);

-- Items sorted by the key of each; places are those of the keys in their order.
CREATE FUNCTION sorted_by(items, keys, places) AS
ARRAY(SELECT items[SAFE_ORDINAL(_place)] FROM UNNEST(places) AS _place WITH OFFSET AS _before ORDER BY _before);

CREATE FUNCTION top_items(items, k) AS
ARRAY(
  SELECT _item
  FROM UNNEST(items) AS _item WITH OFFSET AS _before
  WHERE _before < COALESCE(k, ARRAY_LENGTH(items))
  ORDER BY _before
);
CREATE FUNCTION has_repeated(items) AS (SELECT COUNT(DISTINCT _item) < COUNT(*) FROM UNNEST(items) AS _item);
CREATE FUNCTION numbers_in(grades) AS grades;
CREATE FUNCTION grades_of(items, grades) AS grades;
CREATE FUNCTION is_given(items) AS ARRAY_LENGTH(items) > 0;
CREATE FUNCTION is_finite(number) AS ABS(number) < CAST('inf' AS FLOAT64);
CREATE FUNCTION raised(message) AS ERROR(message);
