-- noqa: disable=CP05
-- What takes the place of functions in ../functions.sql in statements with plain sums: the arithmetic that one would
-- write by hand. Its last digits depend on the order of the rows.

CREATE FUNCTION number_of(x, nulls) AS
CASE WHEN nulls <> 'error' AND isnan(CAST(x AS DOUBLE)) THEN NULL ELSE CAST(x AS DOUBLE) END;
CREATE FUNCTION ratio(a, b) AS CAST(a AS DOUBLE) / nullif(b, 0);
CREATE FUNCTION in_top(place, k) AS place <= coalesce(k, place);
CREATE FUNCTION scaled(gain, top_gain) AS gain;
CREATE FUNCTION unscaled(total, top_gain) AS total;
CREATE FUNCTION discounted(gain, place, base) AS gain * ln(base) / ln(place + 1);
CREATE FUNCTION as_units(x) AS x;
CREATE FUNCTION from_units(units) AS units;
CREATE FUNCTION exact_sum(x) AS sum(x);
CREATE FUNCTION exact_sum_of_many(x) AS sum(x);
CREATE FUNCTION average(x) AS avg(x);
