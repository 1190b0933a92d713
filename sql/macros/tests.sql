{# The means below a value, and metrics without a mean: the test of each metric. Without recommendations, all metrics fail. #}
{% macro means_at_least(metrics, run, qrels, at_least, given) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- do recall_duckdb.check_number('at_least', at_least) -%}
  {%- do recall_duckdb.refuse_if('per_query' in given, 'per_query: the test is of means: leave it out') -%}
  {%- set asked = {} -%}
  {%- for name, value in given.items() -%}{%- do asked.update({'model' if name == 'model_column' else name: value}) -%}{%- endfor -%}
  {%- set q = recall_duckdb.question('evaluate', metrics, run, qrels, asked) -%}
  {%- for m in q.metrics -%}
    {%- do recall_duckdb.refuse_if(m.whole_run and q.slices, 'by: ' ~ m.name ~ ' is a metric of the whole run and has no value per slice: leave out by') -%}
  {%- endfor -%}
WITH rd_asked AS (
  {%- for m in q.metrics %}
  SELECT '{{ m.name }}' AS asked_metric, {{ m.k or 0 }} AS asked_k{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_counted AS (
  SELECT COUNT(*) AS run_rows
  FROM {{ run }}
  {%- if q.asked.filter %}
  WHERE {{ q.asked.filter }}
  {%- endif %}
), rd_found AS (
  SELECT model AS found_model{% for name in q.slice_names %}, {{ name }}{% endfor %}, metric AS found_metric, COALESCE(k, 0) AS found_k,
    value AS found_value, queries AS found_queries, 1 AS is_found
  FROM (
    {{ recall_duckdb.statement(q) | indent(4) }}
  ) AS rd_means
)
SELECT asked_metric AS metric, CASE WHEN asked_k > 0 THEN asked_k END AS k, found_model AS model{% for name in q.slice_names %}, {{ name }}{% endfor %},
  CASE WHEN is_found = 1 THEN found_value END AS value, found_queries AS queries, run_rows, {{ at_least }} AS at_least
FROM rd_asked
CROSS JOIN rd_counted
LEFT JOIN rd_found ON asked_metric = found_metric AND asked_k = found_k
WHERE run_rows = 0 OR COALESCE(is_found, 0) = 0 OR {{ recall_duckdb.no_number('found_value') }} OR found_value < {{ at_least }}
{% endmacro %}

{# The means of a table, or of values per query, that are worse than a bound, and metrics without a mean. #}
{% test metric_at_least(model, metric, at_least=none, at_most=none, by=none, per_query=false, filter=none) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.refuse_if((at_least is none) == (at_most is none), 'at_least, at_most: pass exactly one of the two: at_most for a metric for which lower is better') -%}
  {%- set argument, bound = 'at_least' if at_most is none else 'at_most', at_least if at_most is none else at_most -%}
  {%- do recall_duckdb.check_number(argument, bound) -%}
  {%- set keys = (['model'] + recall_duckdb.columns_of('by', by)) | join(', ') -%}
  {%- set tested = recall_duckdb.tested_metrics(metric, per_query) -%}
  {%- for m in tested if recall_duckdb.is_lower(m.name) != (argument == 'at_most') -%}
    {%- do recall_duckdb.refuse(argument ~ ': ' ~ m.name ~ ' is a metric for which ' ~ ('lower is better: pass at_most' if argument == 'at_least' else 'higher is better: pass at_least')) -%}
  {%- endfor -%}
WITH rd_asked AS (
  {%- for m in tested %}
  SELECT {{ loop.index }} AS asked_no, {{ dbt.string_literal(m.name) }} AS asked_metric, {{ m.k or 0 }} AS asked_k{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_found AS (
  {%- for m in tested %}
  {%- set value = 'CAST(' ~ (m.column if per_query else 'value') ~ ' AS ' ~ recall_duckdb.type_double() ~ ')' %}
  SELECT {{ loop.index }} AS found_no, {{ keys }}, {{ 'AVG(' ~ value ~ ')' if per_query else value }} AS found_value, 1 AS is_found
  FROM {{ model }}
  WHERE {{ '1 = 1' if per_query else 'metric = ' ~ dbt.string_literal(m.name) ~ ' AND COALESCE(k, 0) = ' ~ (m.k or 0) }}
  {%- if filter %} AND ({{ filter }}
  )
  {%- endif %}
  {{- '\n  GROUP BY ' ~ keys if per_query }}{{ '\n  UNION ALL' if not loop.last }}
  {%- endfor %}
)
SELECT asked_metric AS metric, asked_k AS k, {{ keys }}, CASE WHEN is_found = 1 THEN found_value END AS value, {{ bound }} AS {{ argument }}
FROM rd_asked
LEFT JOIN rd_found ON asked_no = found_no
WHERE COALESCE(is_found, 0) = 0 OR {{ recall_duckdb.no_number('found_value') }} OR found_value {{ '<' if at_most is none else '>' }} {{ bound }}
{% endtest %}

{# The means that became worse by more than a tolerance or are missing, and metrics without anything to compare.

   Equal numbers may differ by 1e-12. #}
{% test metric_not_below_previous(model, previous=none, order_by=none, metric=none, by=none, tolerance=0) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.check_number('tolerance', tolerance) -%}
  {%- do recall_duckdb.refuse_if(tolerance < 0, 'tolerance: ' ~ tolerance ~ ' is below 0: pass how much a value may fall, 0 or more') -%}
  {%- do recall_duckdb.refuse_if((previous is none) == (order_by is none), 'previous, order_by: pass exactly one of the two: the table of the previous run, or the column that orders the runs in this table, such as a date') -%}
  {%- set keys, asked, double = (['model'] + recall_duckdb.columns_of('by', by) + ['metric', 'k']) | join(', '), [], recall_duckdb.type_double() -%}
  {%- for name in recall_duckdb.columns_of('metric', metric) -%}{%- do asked.append(recall_duckdb.text_literal('metric', name)) -%}{%- endfor -%}
  {%- set of_metric = ' AND metric IN (' ~ asked | join(', ') ~ ')' if asked else '' -%}
  {%- set newest, value_of = '(SELECT MAX(' ~ order_by ~ ') FROM ' ~ model ~ ')', 'metric' if asked else "''" -%}
  {%- set worse = 'CASE WHEN ' ~ recall_duckdb.lower_is_better('metric') ~ ' THEN MAX(new_value) - MAX(old_value) ELSE MAX(old_value) - MAX(new_value) END' -%}
WITH rd_asked AS (
  {%- for name in asked or ["''"] %}
  SELECT {{ name }} AS asked_metric{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_values AS (
  SELECT {{ keys }}, {{ value_of }} AS value_of, value AS new_value, CAST(NULL AS {{ double }}) AS old_value, 1 AS is_new, 0 AS is_old
  FROM {{ model }}
  WHERE 1 = 1{{ ' AND ' ~ order_by ~ ' = ' ~ newest if order_by }}{{ of_metric }}
  UNION ALL
  SELECT {{ keys }}, {{ value_of }} AS value_of, CAST(NULL AS {{ double }}) AS new_value, value AS old_value, 0 AS is_new, 1 AS is_old
  FROM {{ previous or model }}
  WHERE 1 = 1{{ ' AND (' ~ config.get('where') ~ ')' if previous and config.get('where') }}
  {%- if order_by %} AND {{ order_by }} = (SELECT MAX({{ order_by }}) FROM {{ model }} WHERE {{ order_by }} < {{ newest }}){% endif %}
  {{- of_metric }}
), rd_counted AS (
  SELECT asked_metric, COALESCE(SUM(is_new), 0) AS new_in_all, COALESCE(SUM(is_old), 0) AS old_in_all
  FROM rd_asked
  LEFT JOIN rd_values ON asked_metric = value_of
  GROUP BY asked_metric
), rd_lower AS (
  SELECT {{ keys }}, value_of AS lower_of, MAX(new_value) AS value_now, MAX(old_value) AS value_before, SUM(is_new) AS rows_now, SUM(is_old) AS rows_before, 1 AS is_lower
  FROM rd_values
  GROUP BY {{ keys }}, value_of
  HAVING SUM(is_old) > 0 AND (
    SUM(is_new) <> 1 OR SUM(is_old) <> 1 OR {{ worse }} > {{ tolerance }} + 1e-12
    OR (MAX(old_value) IS NOT NULL AND ({{ recall_duckdb.no_number('MAX(new_value)') }} OR {{ recall_duckdb.no_number('MAX(old_value)') }}))
  )
)
SELECT asked_metric, {{ keys }}, value_before AS previous_value, value_now AS value, rows_before, rows_now
FROM rd_counted
LEFT JOIN rd_lower ON asked_metric = lower_of
WHERE COALESCE(is_lower, 0) = 1 OR new_in_all = 0{{ ' OR old_in_all = 0' if previous is not none }}
{% endtest %}

{# Items that a list holds more than once. The test `check` finds them too. #}
{% test no_duplicate_recommendations(model, query='query', item='item', model_column=none) %}
  {%- set keys = (recall_duckdb.columns_of('model_column', model_column) + recall_duckdb.columns_of('query', query) + [item]) | join(', ') -%}
SELECT {{ keys }}, COUNT(*) AS copies
FROM {{ model }} GROUP BY {{ keys }} HAVING COUNT(*) > 1
{% endtest %}

{# The condition that a value is NULL, NaN or infinite. Engines differ in whether NaN is above a bound. #}
{% macro no_number(value) %}
  {%- set bounds = "CAST('-1e308' AS " ~ recall_duckdb.type_double() ~ ") AND CAST('1e308' AS " ~ recall_duckdb.type_double() ~ ')' -%}
  {{- return('(' ~ value ~ ' IS NULL OR NOT (' ~ value ~ ' BETWEEN ' ~ bounds ~ '))') -}}
{% endmacro %}
