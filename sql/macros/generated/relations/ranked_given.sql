{# Written from sql/2_ranking/ranked/given.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ranked_given(q) %}
  {{- return(adapter.dispatch('relation_ranked_given', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ranked_given(q) -%}
/* Every query's list with the ranks of the run, for ranks = given. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  CAST(-score AS BIGINT) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.list_depth is not none %}
WHERE
  -score <= {{ q.list_depth }}
{%- endif %}
{%- endmacro %}

{% macro bigquery__relation_ranked_given(q) -%}
/* Every query's list with the ranks of the run, for ranks = given. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  CAST(-score AS INT64) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.list_depth is not none %}
WHERE
  -score <= {{ q.list_depth }}
{%- endif %}
{%- endmacro %}

{% macro clickhouse__relation_ranked_given(q) -%}
/* Every query's list with the ranks of the run, for ranks = given. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  CAST(-score AS Nullable(Int64)) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.list_depth is not none %}
WHERE
  -score <= {{ q.list_depth }}
{%- endif %}
{%- endmacro %}
