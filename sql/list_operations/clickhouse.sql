-- The operations on lists that the functions of lists use, except for list_transform, in ClickHouse's SQL. A list is never NULL there, so an empty
-- list of grades means that none are given, as NULL does.
CREATE FUNCTION list_extract(items, place) AS arrayElement(items, place);
CREATE FUNCTION list_position(items, item) AS nullIf(CAST(indexOf(items, item) AS Int64), 0);
CREATE FUNCTION list_length(items) AS length(items);
CREATE FUNCTION list_sum(numbers) AS arraySum(_number -> coalesce(_number, 0), numbers);
CREATE FUNCTION list_max(numbers) AS arrayReduce('maxOrNull', numbers);
CREATE FUNCTION places_of(items) AS arrayEnumerate(items);
CREATE FUNCTION running_sums(numbers) AS arrayCumSum(_number -> coalesce(_number, 0), numbers);

-- The places of numbers in their order.
CREATE FUNCTION order_up(numbers) AS arraySort((_end, _number) -> _number, arrayEnumerate(numbers), numbers);
CREATE FUNCTION order_down(numbers) AS arraySort((_end, _number) -> -_number, arrayEnumerate(numbers), numbers);

-- Items sorted by the key of each; places are those of the keys in their order.
CREATE FUNCTION sorted_by(items, keys, places) AS arraySort((_item, _key) -> _key, items, keys);

CREATE FUNCTION top_items(items, k) AS
arraySlice(items, 1, CAST(CASE WHEN k < length(items) THEN CAST(k AS Nullable(Int64)) ELSE CAST(length(items) AS Int64) END AS Nullable(Int64)));
CREATE FUNCTION has_repeated(items) AS length(arrayDistinct(items)) < length(items);
CREATE FUNCTION numbers_in(grades) AS CAST(coalesce(grades, []) AS Array(Nullable(Float64)));

-- The grades of items. If there are more or fewer, which is a mistake, ClickHouse may still compute the value.
CREATE FUNCTION grades_of(items, grades) AS arrayResize(numbers_in(grades), length(items));
CREATE FUNCTION is_given(items) AS length(coalesce(items, [])) > 0;
CREATE FUNCTION is_finite(number) AS isFinite(number);
CREATE FUNCTION raised_if(condition, message) AS throwIf(condition, message);
