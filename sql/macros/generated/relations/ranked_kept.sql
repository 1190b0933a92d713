{# Written from sql/2_ranking/ranked/kept.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ranked_kept(q) %}
  {{- return(adapter.dispatch('relation_ranked_kept', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ranked_kept(q) -%}
/* The top of every query's list without removed items, with the ranks of the run, for ranks = given. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  CAST(-score AS BIGINT) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.depth is not none %}
WHERE
  -score <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro bigquery__relation_ranked_kept(q) -%}
/* The top of every query's list without removed items, with the ranks of the run, for ranks = given. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  CAST(-score AS INT64) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.depth is not none %}
WHERE
  -score <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro clickhouse__relation_ranked_kept(q) -%}
/* The top of every query's list without removed items, with the ranks of the run, for ranks = given. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  CAST(-score AS Nullable(Int64)) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.depth is not none %}
WHERE
  -score <= {{ q.depth }}
{%- endif %}
{%- endmacro %}
