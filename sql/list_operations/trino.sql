-- The operations on lists that the functions of lists use, except for list_transform, in Trino's SQL.
CREATE FUNCTION list_extract(items, place) AS element_at(items, place);
CREATE FUNCTION list_position(items, item) AS nullif(array_position(items, item), 0);
CREATE FUNCTION list_length(items) AS cardinality(items);
CREATE FUNCTION list_sum(numbers) AS
reduce(numbers, CAST(0 AS DOUBLE), (_total, _number) -> _total + coalesce(_number, 0), _total -> _total);
CREATE FUNCTION list_max(numbers) AS array_max(filter(numbers, _number -> _number IS NOT NULL));

-- 1, 2 and so on, for each item of a list; sequence(1, 0) would be two numbers.
CREATE FUNCTION places_of(items) AS slice(sequence(1, cardinality(items) + 1), 1, cardinality(items));
CREATE FUNCTION running_sums(numbers) AS
list_transform(places_of(numbers), _end -> list_sum(slice(numbers, 1, _end)));

-- The places of numbers in their order.
CREATE FUNCTION order_up(numbers) AS array_sort(
  places_of(numbers),
  (_one, _other) -> CASE
    WHEN element_at(numbers, _one) < element_at(numbers, _other) THEN -1
    WHEN element_at(numbers, _one) > element_at(numbers, _other) THEN 1
    WHEN _one < _other THEN -1
    WHEN _one > _other THEN 1
    ELSE 0
  END
);
CREATE FUNCTION order_down(numbers) AS array_sort(
  places_of(numbers),
  (_one, _other) -> CASE
    WHEN element_at(numbers, _one) > element_at(numbers, _other) THEN -1
    WHEN element_at(numbers, _one) < element_at(numbers, _other) THEN 1
    WHEN _one < _other THEN -1
    WHEN _one > _other THEN 1
    ELSE 0
  END
);

-- Items sorted by the key of each; places are those of the keys in their order.
CREATE FUNCTION sorted_by(items, keys, places) AS list_transform(places, _place -> list_extract(items, _place));

CREATE FUNCTION top_items(items, k) AS
slice(items, 1, CASE WHEN k < cardinality(items) THEN k ELSE cardinality(items) END);
CREATE FUNCTION has_repeated(items) AS
cardinality(array_distinct(filter(items, _item -> _item IS NOT NULL))) < cardinality(items);
CREATE FUNCTION numbers_in(grades) AS grades;
CREATE FUNCTION grades_of(items, grades) AS grades;
CREATE FUNCTION is_given(items) AS items IS NOT NULL;
CREATE FUNCTION is_finite(number) AS
number BETWEEN CAST('-1.7976931348623157e308' AS DOUBLE) AND CAST('1.7976931348623157e308' AS DOUBLE);
CREATE FUNCTION raised(message) AS CAST(fail(message) AS DOUBLE);
