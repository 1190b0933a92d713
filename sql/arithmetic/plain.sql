-- noqa: disable=CP05
-- What replaces functions of ../functions.sql in statements with plain sums, whose last digits depend on the row order.

CREATE FUNCTION number_of(x, nulls) AS
CASE WHEN nulls <> 'error' AND isnan(CAST(x AS DOUBLE)) THEN NULL ELSE CAST(x AS DOUBLE) END;
CREATE FUNCTION ratio(a, b) AS CAST(a AS DOUBLE) / nullif(b, 0);
CREATE FUNCTION hits_in_top(is_relevant, place, k) AS sum(CASE WHEN in_top(place, k) THEN is_relevant ELSE 0 END);
CREATE FUNCTION in_top(place, k) AS place <= coalesce(k, place);
CREATE FUNCTION scaled(gain, top_gain) AS gain;
CREATE FUNCTION unscaled(total, top_gain) AS total;
CREATE FUNCTION discounted(gain, place, base) AS gain * ln(base) / ln(place + 1);
CREATE FUNCTION as_units(x) AS x;
CREATE FUNCTION from_units(units) AS units;
CREATE FUNCTION exact_sum(x) AS sum(x);
CREATE FUNCTION exact_sum_of_many(x) AS sum(x);
CREATE FUNCTION average(x) AS avg(x);
