{# Written from sql/3_judging/ideal.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ideal(q) %}
  {{- return(adapter.dispatch('relation_ideal', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %} ORDER BY gain DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS BIGINT) AS relevant
FROM {{ recall_duckdb.read(q, 'sliced') }}
{%- endmacro %}

{% macro bigquery__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %} ORDER BY gain DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS INT64) AS relevant
FROM {{ recall_duckdb.read(q, 'sliced') }}
{%- endmacro %}

{% macro clickhouse__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %} ORDER BY gain DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS Nullable(Int64)) AS relevant
FROM {{ recall_duckdb.read(q, 'sliced') }}
{%- endmacro %}

{% macro postgres__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %} ORDER BY gain DESC NULLS LAST) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}) AS BIGINT) AS relevant
FROM {{ recall_duckdb.read(q, 'sliced') }}
{%- endmacro %}

{% macro snowflake__relation_ideal(q) -%}
  {{- return(recall_duckdb.postgres__relation_ideal(q)) -}}
{%- endmacro %}
