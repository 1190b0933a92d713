-- noqa: disable=CP05
-- Arithmetic that the definitions share. To run a definition by hand in DuckDB, run this file first. The package
-- replaces calls by these expressions, so its statements run on every engine without the functions.

-- a / b as doubles; NULL where b is 0.
CREATE FUNCTION ratio(a, b) AS CAST(a AS DOUBLE) / nullif(CAST(b AS DOUBLE), 0);

-- True if a rank is among the first k, or k is NULL. Not true for an item without a rank.
CREATE FUNCTION in_top(place, k) AS place BETWEEN 1 AND coalesce(k, place);

-- The number of relevant items among the first k of a list, from their running count at each rank.
CREATE FUNCTION hits_in_top(hits, place, k) AS coalesce(max(CASE WHEN in_top(place, k) THEN hits END), 0);

-- A gain at a rank of DCG: divided by the logarithm of rank + 1, to a base that is usually 2.
CREATE FUNCTION discounted(gain, place, base) AS gain * ln(CAST(base AS DOUBLE)) / ln(CAST(place + 1 AS DOUBLE));

-- 2 to the power of x.
CREATE FUNCTION power_of_2(x) AS power(CAST(2 AS DOUBLE), CAST(x AS DOUBLE));

-- Convert a number to whole units of 2^-80, and back. A sum of whole numbers has the same bits in any order.
CREATE FUNCTION as_units(x) AS CAST(x * power_of_2(80) AS DECIMAL(38, 0));
CREATE FUNCTION from_units(units) AS CAST(units AS DOUBLE) / power_of_2(80);

-- The sum of x, with the same bits in any order of the rows. A sum may reach 2^46.
CREATE FUNCTION exact_sum(x) AS from_units(sum(as_units(x)));

-- The same in units of 2^-70, for sums that may reach 2^56.
CREATE FUNCTION exact_sum_of_many(x) AS
CAST(sum(CAST(x * power_of_2(70) AS DECIMAL(38, 0))) AS DOUBLE) / power_of_2(70);
