{# Written from sql/3_judging/ideal.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ideal(q) %}
  {{- return(adapter.dispatch('relation_ideal', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS relevant
FROM {{ recall_duckdb.read(q, 'graded') }}
{%- endmacro %}

{% macro bigquery__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS INT64) AS relevant
FROM {{ recall_duckdb.read(q, 'graded') }}
{%- endmacro %}

{% macro clickhouse__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS Nullable(Int64)) AS relevant
FROM {{ recall_duckdb.read(q, 'graded') }}
{%- endmacro %}

{% macro postgres__relation_ideal(q) -%}
/* The qrels in ideal order, as a perfect system would return them. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC NULLS LAST, item DESC NULLS LAST) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS relevant
FROM {{ recall_duckdb.read(q, 'graded') }}
{%- endmacro %}

{% macro snowflake__relation_ideal(q) -%}
  {{- return(recall_duckdb.postgres__relation_ideal(q)) -}}
{%- endmacro %}
