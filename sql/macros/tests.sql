{# The means below a value, and the metrics that have no mean: an empty run or qrels is no success. #}
{% macro means_at_least(means, metrics, at_least, by) %}
  {%- do recall_duckdb.check_number('at_least', at_least) -%}
  {%- set by = recall_duckdb.columns_of('by', by) -%}
  {%- set q = {} -%}
  {%- do recall_duckdb.add_metrics(q, metrics, none, 'k', 'item_desc') -%}
WITH rd_asked AS (
  {%- for m in q.metrics %}
  SELECT '{{ m.name }}' AS asked_metric, {{ m.k or 0 }} AS asked_k{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_found AS (
  SELECT
    model AS found_model,
    {%- for name in by %}
    {{ name }},
    {%- endfor %}
    metric AS found_metric,
    COALESCE(k, 0) AS found_k,
    value AS found_value,
    queries AS found_queries,
    1 AS is_found
  FROM (
    {{ means | indent(4) }}
  ) AS rd_means
)
SELECT
  asked_metric AS metric,
  CASE WHEN asked_k > 0 THEN asked_k END AS k,
  found_model AS model,
  {%- for name in by %}
  {{ name }},
  {%- endfor %}
  CASE WHEN is_found = 1 THEN found_value END AS value,
  found_queries AS queries,
  {{ at_least }} AS at_least
FROM rd_asked
LEFT JOIN rd_found
  ON asked_metric = found_metric AND asked_k = found_k
WHERE COALESCE(is_found, 0) = 0 OR found_value IS NULL OR found_value < {{ at_least }}
{% endmacro %}


{# The means that are lower than before by more than a tolerance, or gone; and a row of NULLs if there is none at all. #}
{% test metric_not_below_previous(model, previous=none, order_by=none, metric=none, by=none, tolerance=0) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.check_number('tolerance', tolerance) -%}
  {%- if tolerance < 0 -%}
    {%- do recall_duckdb.refuse('tolerance: ' ~ tolerance ~ ' is below 0: it says how much lower a value may be') -%}
  {%- endif -%}
  {%- if (previous is none) == (order_by is none) -%}
    {%- do recall_duckdb.refuse('previous, order_by: give one of the two: the table of the run before, or the column that tells the runs in this table apart, such as a date') -%}
  {%- endif -%}
  {%- set keys = ['model'] + recall_duckdb.columns_of('by', by) + ['metric', 'k'] -%}
  {%- set names = recall_duckdb.columns_of('metric', metric) -%}
  {%- set newest = '(SELECT MAX(' ~ order_by ~ ') FROM ' ~ model ~ ')' -%}
WITH rd_values AS (
  SELECT {{ keys | join(', ') }}, value AS new_value, CAST(NULL AS {{ recall_duckdb.type_double() }}) AS old_value, 1 AS is_new, 0 AS is_old
  FROM {{ model }}
  WHERE 1 = 1{{ ' AND ' ~ order_by ~ ' = ' ~ newest if order_by }}{{ recall_duckdb.is_named(names) }}
  UNION ALL
  SELECT {{ keys | join(', ') }}, CAST(NULL AS {{ recall_duckdb.type_double() }}) AS new_value, value AS old_value, 0 AS is_new, 1 AS is_old
  FROM {{ previous or model }}
  WHERE 1 = 1
  {%- if order_by %} AND {{ order_by }} = (SELECT MAX({{ order_by }}) FROM {{ model }} WHERE {{ order_by }} < {{ newest }}){% endif -%}
  {{ recall_duckdb.is_named(names) }}
), rd_compared AS (
  SELECT {{ keys | join(', ') }}, MAX(new_value) AS value_now, MAX(old_value) AS value_before, SUM(is_new) AS new_rows, 1 AS one_of_them
  FROM rd_values
  GROUP BY {{ keys | join(', ') }}
  HAVING SUM(is_old) > 0 AND (
    SUM(is_new) <> 1
    OR SUM(is_old) <> 1
    OR (MAX(new_value) IS NULL AND MAX(old_value) IS NOT NULL)
    OR MAX(new_value) < MAX(old_value) - {{ tolerance }}
  )
), rd_counted AS (
  SELECT 1 AS one, COUNT(CASE WHEN is_new = 1 THEN 1 END) AS new_in_all, COUNT(CASE WHEN is_old = 1 THEN 1 END) AS old_in_all
  FROM rd_values
)
SELECT {{ keys | join(', ') }}, value_before AS previous_value, value_now AS value, new_rows AS value_rows
FROM rd_counted
LEFT JOIN rd_compared
  ON one = one_of_them
WHERE COALESCE(one_of_them, 0) = 1 OR new_in_all = 0{{ ' OR old_in_all = 0' if previous is not none }}
{% endtest %}


{# The items that a list holds more than once. #}
{% test no_duplicate_recommendations(model, query='query', item='item', model_column=none) %}
  {%- set keys = recall_duckdb.columns_of('model_column', model_column) + recall_duckdb.columns_of('query', query) + [item] -%}
SELECT {{ keys | join(', ') }}, COUNT(*) AS copies
FROM {{ model }}
GROUP BY {{ keys | join(', ') }}
HAVING COUNT(*) > 1
{% endtest %}


{# The condition that a metric is one of those named, to stand behind another. #}
{% macro is_named(names) %}
  {%- set written = [] -%}
  {%- for name in names -%}
    {%- do written.append(dbt.string_literal(dbt.escape_single_quotes(name))) -%}
  {%- endfor -%}
  {{- return(' AND metric IN (' ~ written | join(', ') ~ ')' if written else '') -}}
{% endmacro %}
