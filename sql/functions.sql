-- noqa: disable=CP05
-- Arithmetic that the definitions share. To run a definition by hand in DuckDB, run this file first. The package
-- replaces calls by these expressions, so its statements run on every engine without the functions.

-- A number of the user as a double; NULL instead of NaN. The policy nulls is as in 1_inputs/source.sql.
CREATE FUNCTION number_of(x, nulls) AS CASE WHEN isnan(CAST(x AS DOUBLE)) THEN NULL ELSE CAST(x AS DOUBLE) END;

-- a / b as doubles; NULL where b is 0.
CREATE FUNCTION ratio(a, b) AS CAST(a AS DOUBLE) / nullif(CAST(b AS DOUBLE), 0);

-- True if a rank is among the first k, or k is NULL. Not true for an item without a rank.
CREATE FUNCTION in_top(place, k) AS place BETWEEN 1 AND coalesce(k, place);

-- True if x is at least the lowest number, or that is NULL. A FLOAT column holds 0.7 as 0.699999988, which reaches 0.7
-- too: lowest_as_float is the lowest number as such a column holds it, or NULL if that is the same number or it cannot.
CREATE FUNCTION reaches(x, lowest, lowest_as_float) AS
(lowest IS NULL OR x >= lowest OR (lowest_as_float IS NOT NULL AND x = lowest_as_float));

-- 1 if an item of this relevance is relevant, else 0. The policy threshold is as in `reaches`.
CREATE FUNCTION is_relevant_at(relevance, threshold, threshold_as_float) AS
CASE WHEN relevance > 0 AND reaches(relevance, threshold, threshold_as_float) THEN 1 ELSE 0 END;

-- The number of relevant items among the first k of a list, in the whole list, and in the qrels.
CREATE FUNCTION hits_in_top(is_relevant, place, k) AS sum(CASE WHEN in_top(place, k) THEN is_relevant ELSE 0 END);
CREATE FUNCTION hits_in_list(is_relevant, place) AS sum(CASE WHEN place >= 1 THEN is_relevant ELSE 0 END);
CREATE FUNCTION relevant_items(is_relevant) AS sum(is_relevant);

-- 1 if a relevant item is among the first k of a list, else 0.
CREATE FUNCTION found_in_top(is_relevant, place, k) AS max(CASE WHEN in_top(place, k) THEN is_relevant ELSE 0 END);

-- 1 / rank of the first relevant item among the first k of a list, or 0.
CREATE FUNCTION first_in_top(is_relevant, place, k) AS
max(CASE WHEN is_relevant = 1 AND in_top(place, k) THEN 1 / CAST(place AS DOUBLE) ELSE 0 END);

-- A gain as a share of the query's top gain, so that exact sums fit, and a sum of shares as one of gains.
CREATE FUNCTION scaled(gain, top_gain) AS CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS DOUBLE) END;
CREATE FUNCTION unscaled(total, top_gain) AS total * top_gain;

-- A gain at a rank of DCG: divided by the logarithm of rank + 1, to a base that is usually 2.
CREATE FUNCTION discounted(gain, place, base) AS gain * ln(CAST(base AS DOUBLE)) / ln(CAST(place + 1 AS DOUBLE));

-- The place for `discounted`, which divides by log(place + 1): with discount = lenskit, by log(rank), but at least 1.
CREATE FUNCTION discount_place(place, base, discount) AS
CASE WHEN discount <> 'lenskit' THEN place WHEN place > base THEN place - 1 ELSE base - 1 END;

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

-- The mean of x; NULL if it has no value.
CREATE FUNCTION average(x) AS exact_sum_of_many(x) / nullif(CAST(count(x) AS DOUBLE), 0);

-- The logarithm of a value for a geometric mean, as in trec_eval: at least that of 0.00001.
CREATE FUNCTION ln_of_at_least(x) AS
ln(CASE WHEN x < CAST('0.00001' AS DOUBLE) THEN CAST('0.00001' AS DOUBLE) ELSE x END);

-- The mean of the values of queries, of the kind $mean in 5_summary/averages.sql, and the number of queries in it.
CREATE FUNCTION mean_of(x, weight, mean, weighted) AS CASE
  WHEN mean = 'whole' THEN max(x)
  WHEN mean = 'median' THEN quantile_cont(x, 0.5)
  WHEN mean = 'q10' THEN quantile_cont(x, 0.1)
  WHEN mean = 'q25' THEN quantile_cont(x, 0.25)
  WHEN mean = 'q75' THEN quantile_cont(x, 0.75)
  WHEN mean = 'q90' THEN quantile_cont(x, 0.9)
  WHEN mean = 'sum' THEN exact_sum_of_many(x)
  WHEN mean = 'geometric' AND weighted
    THEN exp(
      exact_sum_of_many(ln_of_at_least(x) * weight)
      / nullif(exact_sum_of_many(CASE WHEN x IS NOT NULL THEN weight END), 0)
    )
  WHEN mean = 'geometric' THEN exp(average(ln_of_at_least(x)))
  WHEN weighted
    THEN
      exact_sum_of_many(x * weight)
      / nullif(exact_sum_of_many(CASE WHEN x IS NOT NULL THEN weight END), 0)
  ELSE average(x)
END;
CREATE FUNCTION queries_of(x, weight, mean, weighted) AS
count(CASE WHEN NOT weighted OR mean = 'sum' OR mean = 'whole' OR weight > 0 THEN x END);

-- Text without digits, and without what stands between numbers.
CREATE FUNCTION without_numbers(content) AS
replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
  content, '0', ''
), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''), '9', ''), '.', ''), ',', ''),
' ', '');

-- True for text that begins as a list does, and for text that is one, as a CSV file holds it: ["a"], ['a' 'b'], [1, 2],
-- {a,b}, ('a', 'b'). Not a regular expression, which SQLite and SQL Server do not have.
CREATE FUNCTION has_bracket(id) AS (substring(id, 1, 1) IN ('[', '{', '('));
CREATE FUNCTION inside_brackets(id) AS trim(replace(substring(id, 2, length(id) - 2), chr(10), ' '));
CREATE FUNCTION begins_with_quote(content) AS (substring(content, 1, 1) IN ('"', ''''));
CREATE FUNCTION ends_with_quote(content) AS
(length(content) >= 2 AND substring(content, length(content), 1) IN ('"', ''''));
CREATE FUNCTION is_between(id, opening, closing) AS
(substring(id, 1, 1) = opening AND substring(id, length(id), 1) = closing);
CREATE FUNCTION has_none_of(content, one, other) AS (replace(replace(content, one, ''), other, '') = content);
CREATE FUNCTION is_list_content(id, content) AS
(CASE
  WHEN NOT (has_bracket(id) AND length(id) >= 2) THEN 0
  WHEN substring(id, length(id), 1) NOT IN (']', '}', ')') THEN 0
  WHEN begins_with_quote(content) AND ends_with_quote(replace(content, ',', '')) THEN 1
  WHEN begins_with_quote(content) AND is_between(id, '{', '}') AND content LIKE '%:%' THEN 1
  WHEN
    without_numbers(content) = '' AND substring(id, 1, 1) <> '(' AND substring(id, length(id), 1) <> ')'
    THEN 1
  WHEN NOT content LIKE '_%,%' THEN 0
  WHEN is_between(id, '(', ')') AND without_numbers(content) = '' THEN 1
  WHEN is_between(id, '[', ']') AND has_none_of(content, '[', ']') THEN 1
  WHEN is_between(id, '{', '}') AND has_none_of(content, '{', '}') THEN 1
  ELSE 0
END = 1);
CREATE FUNCTION is_list_text(id) AS is_list_content(id, inside_brackets(id));

-- An id without what often differs between two files: case, blanks around it, leading zeros, a final .0, and the
-- Unicode form. Only in DuckDB.
CREATE FUNCTION plain_id(id) AS regexp_replace(
  regexp_replace(lower(nfc_normalize(trim(CAST(id AS VARCHAR)))), '\.0+$', ''), '^0+(\d)', '\1'
);

-- What two spellings of one id differ in. Only in DuckDB.
CREATE FUNCTION difference_of(id, other) AS CASE
  WHEN trim(CAST(id AS VARCHAR)) = trim(CAST(other AS VARCHAR)) THEN 'blanks'
  WHEN lower(CAST(id AS VARCHAR)) = lower(CAST(other AS VARCHAR)) THEN 'case'
  WHEN nfc_normalize(CAST(id AS VARCHAR)) = nfc_normalize(CAST(other AS VARCHAR)) THEN 'Unicode form'
  WHEN ltrim(CAST(id AS VARCHAR), '0') = ltrim(CAST(other AS VARCHAR), '0') THEN 'leading zeros'
  WHEN
    regexp_replace(CAST(id AS VARCHAR), '\.0+$', '') = regexp_replace(CAST(other AS VARCHAR), '\.0+$', '')
    THEN 'a final .0'
  ELSE 'several of these'
END;

-- The form of an id as a sum of powers of 2: capitals 1, blanks around it 2, a leading zero 4, a final .0 8, and
-- another Unicode form 16. Only in DuckDB.
CREATE FUNCTION form_of(id) AS
CASE WHEN CAST(id AS VARCHAR) <> lower(CAST(id AS VARCHAR)) THEN 1 ELSE 0 END
+ CASE WHEN CAST(id AS VARCHAR) <> trim(CAST(id AS VARCHAR)) THEN 2 ELSE 0 END
+ CASE WHEN starts_with(CAST(id AS VARCHAR), '0') AND CAST(id AS VARCHAR) <> '0' THEN 4 ELSE 0 END
+ CASE WHEN ends_with(CAST(id AS VARCHAR), '.0') THEN 8 ELSE 0 END
+ CASE WHEN nfc_normalize(CAST(id AS VARCHAR)) <> CAST(id AS VARCHAR) THEN 16 ELSE 0 END;

-- An id without what follows #, or the number at its end, as in d1#3_7, d1_chunk_3 or d1/3. Only in DuckDB.
CREATE FUNCTION without_chunk(id) AS regexp_replace(
  CAST(id AS VARCHAR), '(#[^#]*|[_:/-]+((chunk|part|passage|p|c)[#_:/-]?)?[0-9]+)$', ''
);

-- True for text that is a whole number. Only in DuckDB.
CREATE FUNCTION is_number_text(id) AS regexp_full_match(CAST(id AS VARCHAR), '\s*[+-]?\d+(\.0+)?\s*');

-- True for text that may be several ids with blanks, commas, semicolons or bars between them. Only in DuckDB.
CREATE FUNCTION has_separators(id) AS regexp_matches(id, '\S[\s,;|]+\S');

-- A field of a struct and the value of a key in a map, or of each struct or map in a list. Only in DuckDB. sqlfluff
-- does not know lambda.
CREATE FUNCTION field_of(held, field) AS struct_extract(held, field);
CREATE FUNCTION field_of_each(structs, field) AS
list_transform( -- noqa: PRS
  structs,
  LAMBDA each_struct: struct_extract(each_struct, field)
);
CREATE FUNCTION value_of(held, name) AS map_extract(held, name)[1];
CREATE FUNCTION value_of_each(maps, name) AS
list_transform( -- noqa: PRS
  maps,
  LAMBDA each_map: map_extract(each_map, name)[1]
);

-- A line without the blanks at its ends. trim() alone takes five times as long. Only in DuckDB.
CREATE FUNCTION stripped(line) AS CASE
  WHEN left(line, 1) IN (' ', e'\t', e'\r') OR right(line, 1) IN (' ', e'\t', e'\r') THEN trim(line, e' \t\r')
  ELSE line
END;

-- The fields of a line of a TREC file: between tabs if it has one, so that ids may hold blanks, else between blanks.
-- A regular expression, which is slow, splits only lines with two blanks side by side. Only in DuckDB.
CREATE FUNCTION fields_of(content) AS CASE
  WHEN NOT contains(content, e'\t') AND NOT contains(content, '  ') THEN string_split(content, ' ')
  WHEN NOT regexp_matches(content, '[ \t][ \t]') THEN string_split(content, e'\t')
  WHEN contains(content, e'\t') THEN regexp_split_to_array(content, '[ \t]*\t[ \t]*')
  ELSE regexp_split_to_array(content, ' +')
END;

-- The number that a field holds, NULL for other text. DuckDB itself reads 1_000 as 1000. Only in DuckDB.
CREATE FUNCTION number_in(field) AS TRY_CAST(replace(field, '_', 'x') AS DOUBLE);

-- 1 if a condition is true, 0 if it is false, for engines without a cast from boolean to a number.
CREATE FUNCTION as_number(condition) AS CASE WHEN condition THEN 1 WHEN NOT condition THEN 0 END;

-- A number as BIGINT; NULL if it is not a whole number, or too large to be exact as DOUBLE.
CREATE FUNCTION whole_number(x) AS
CASE WHEN x = floor(x) AND x BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(x AS BIGINT) END;

-- A floating-point number, NULL for NaN.
CREATE FUNCTION null_if_nan(x) AS CASE WHEN isnan(CAST(x AS DOUBLE)) THEN NULL ELSE x END;

-- A list; [NULL] if it is NULL, so that unnest keeps the row, and a check finds it.
CREATE FUNCTION list_or_null(items) AS coalesce(items, [NULL]);

-- The ranks of the items of a list, and scores that give the same order, highest first. Only in DuckDB.
CREATE FUNCTION ranks_in_list(items) AS generate_series(1, coalesce(len(items), 1));
CREATE FUNCTION scores_in_list(items) AS generate_series(-1, 0 - coalesce(len(items), 1), -1);

-- True if scores, highest first, are those of the ranks 1, 2, 3 and so on of items, which may be only the first.
CREATE FUNCTION are_ranks_of(items, scores) AS (
  list_slice(scores, 1, len(items)) = scores_in_list(items)
  AND coalesce(list_extract(scores, len(items) + 1) < 0 - len(items), TRUE)
);

-- The median of the scores of structs.
CREATE FUNCTION middle_score(places) AS CAST(
  list_aggregate(list_transform(places, LAMBDA place: struct_extract(place, 'score')), 'median') AS DOUBLE
);

-- A map from the items of a list to the numbers next to them; NULL if one of both lists is NULL. Only in DuckDB.
CREATE FUNCTION graded_items(items, grades) AS CASE
  WHEN items IS NOT NULL AND grades IS NOT NULL THEN system.main.map(items, grades)
END;

-- A list from its lowest to its highest value, and from the highest to the lowest. Without an order, the setting
-- default_order decides; without the path, sqlglot drops the order. Only in DuckDB.
CREATE FUNCTION sorted_up(items) AS system.main.list_sort(items, 'ASC', 'NULLS LAST');
CREATE FUNCTION sorted_down(items) AS system.main.list_sort(items, 'DESC', 'NULLS LAST');

-- True if no item of a list occurs twice or is NULL. Short lists are compared without hashes. Only in DuckDB.
CREATE FUNCTION all_differ(items) AS CASE
  WHEN len(items) > 256 THEN list_unique(items) = len(items)
  ELSE coalesce(
    list_aggregate( -- noqa: PRS
      list_transform(items, LAMBDA item: list_position(items, item)), 'sum'
    ), 0
  ) = len(items) * (len(items) + 1) // 2
END;

-- The first item that is the text of a list, as in is_list_text. Only in DuckDB.
CREATE FUNCTION first_list_text(items) AS CASE WHEN typeof(items) = 'VARCHAR[]' THEN list_extract(
  list_filter( -- noqa: PRS
    items,
    LAMBDA item: regexp_full_match(
      CAST(item AS VARCHAR),
      '(?s)\[\s*(["''].*["''],?|[\d., ]*|[^\[\]]+,[^\[\]]*)\s*\]'
      '|\{\s*(["''].*["''],?|["''].*:.*|[\d., ]*|[^{}]+,[^{}]*)\s*\}|\(\s*(["''].*["''],?|[\d., ]+,[\d., ]*)\s*\)'
    )
  ), 1
) END;
