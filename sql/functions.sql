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

-- 1 + p/q x + p/q (p+1)/(q+1) x^2 + ..., with n terms after the 1, from the last to the first; only in DuckDB. sqlfluff
-- does not know lambda.
CREATE FUNCTION hypergeometric_sum(p, q, x, n) AS
list_reduce( -- noqa: PRS
  list_concat([CAST(1 AS DOUBLE)], CAST(range(CAST(n AS BIGINT) - 1, -1, -1) AS DOUBLE[])),
  lambda total, i: 1 + (p + i) / (q + i) * x * total
);

-- ln(1 + x) for a small x, without the digits that 1 + x loses.
CREATE FUNCTION ln_of_1_and(x) AS 2 * x / (2 + x) * (
  1
  + power(x / (2 + x), 2) / 3
  + power(x / (2 + x), 4) / 5
  + power(x / (2 + x), 6) / 7
  + power(x / (2 + x), 8) / 9
  + power(x / (2 + x), 10) / 11
  + power(x / (2 + x), 12) / 13
);

-- The density of Student's distribution with df degrees of freedom.
CREATE FUNCTION student_density(t, df) AS CASE
  WHEN df > 1000
    THEN
      (1 - 1 / (4 * df) + 1 / (32 * df * df) + 5 / (128 * df * df * df) - 21 / (2048 * df * df * df * df))
      / sqrt(2 * pi())
      * exp(-(df + 1) / 2 * ln_of_1_and(t * t / df))
  ELSE
    exp(lgamma((df + 1) / 2) - lgamma(df / 2) - (df + 1) / 2 * ln(1 + t * t / df)) / sqrt(pi() * df)
END;

-- The share of Student's distribution between -t and t, within 1e-13. Up to 1,000 degrees of freedom, the sums of
-- Abramowitz and Stegun, 26.7.3 and 26.7.4. Above, the density times a series of positive terms: the integral of
-- (1 + u^2 / df)^(-(df + 1) / 2) is t (1 + t^2 / df)^(-(df + 1) / 2) 2F1(1, (df + 1) / 2; 3 / 2; t^2 / (df + t^2)).
CREATE FUNCTION student_area(t, df) AS CASE
  WHEN df > 1000 AND t > 12 THEN CAST(1 AS DOUBLE)
  WHEN df > 1000
    THEN
      2 * t * student_density(t, df)
      * hypergeometric_sum((df + 1) / 2, CAST(1.5 AS DOUBLE), t * t / (df + t * t), round(40 + 12 * t + t * t / 2))
  WHEN df = 1 THEN 2 / pi() * atan(t)
  WHEN df % 2 = 1
    THEN
      2 / pi()
      * (
        atan(t / sqrt(df))
        + t * sqrt(df) / (df + t * t) * hypergeometric_sum(1, CAST(1.5 AS DOUBLE), df / (df + t * t), (df - 3) / 2)
      )
  ELSE t / sqrt(df + t * t) * hypergeometric_sum(CAST(0.5 AS DOUBLE), 1, df / (df + t * t), (df - 2) / 2)
END;

-- The halves of a number of 128 bits, as md5_number gives; only in DuckDB.
CREATE FUNCTION lower_half(bits) AS CAST(bits & CAST(18446744073709551615 AS UHUGEINT) AS UBIGINT);
CREATE FUNCTION upper_half(bits) AS CAST(bits >> CAST(64 AS UHUGEINT) AS UBIGINT);

-- Student's critical value for an interval of 95 % on any engine: exact up to 20 degrees of freedom, above within 3e-7.
-- Source: Abramowitz and Stegun, 26.7.5.
CREATE FUNCTION student_critical_95(df) AS CASE df
  WHEN 0 THEN CAST(NULL AS DOUBLE)
  WHEN 1 THEN CAST('12.706204736174694' AS DOUBLE)
  WHEN 2 THEN CAST('4.302652729749462' AS DOUBLE)
  WHEN 3 THEN CAST('3.1824463052837078' AS DOUBLE)
  WHEN 4 THEN CAST('2.7764451051977934' AS DOUBLE)
  WHEN 5 THEN CAST('2.5705818356363146' AS DOUBLE)
  WHEN 6 THEN CAST('2.4469118511449786' AS DOUBLE)
  WHEN 7 THEN CAST('2.364624251592784' AS DOUBLE)
  WHEN 8 THEN CAST('2.306004135204166' AS DOUBLE)
  WHEN 9 THEN CAST('2.262157162798205' AS DOUBLE)
  WHEN 10 THEN CAST('2.228138851986274' AS DOUBLE)
  WHEN 11 THEN CAST('2.200985160091639' AS DOUBLE)
  WHEN 12 THEN CAST('2.1788128296672284' AS DOUBLE)
  WHEN 13 THEN CAST('2.1603686564627913' AS DOUBLE)
  WHEN 14 THEN CAST('2.144786687917804' AS DOUBLE)
  WHEN 15 THEN CAST('2.131449545559776' AS DOUBLE)
  WHEN 16 THEN CAST('2.1199052992212546' AS DOUBLE)
  WHEN 17 THEN CAST('2.1098155778333156' AS DOUBLE)
  WHEN 18 THEN CAST('2.1009220402410382' AS DOUBLE)
  WHEN 19 THEN CAST('2.0930240544083087' AS DOUBLE)
  WHEN 20 THEN CAST('2.085963447265864' AS DOUBLE)
  ELSE
    CAST('1.959963984540054' AS DOUBLE)
    + CAST('2.372271230298562' AS DOUBLE) / df
    + CAST('2.8224986157396112' AS DOUBLE) / df / df
    + CAST('2.555849679507722' AS DOUBLE) / df / df / df
    + CAST('1.5895340533938225' AS DOUBLE) / df / df / df / df
END;
