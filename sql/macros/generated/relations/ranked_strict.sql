{# Written from sql/2_ranking/ranked/strict.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ranked_strict(q) %}
  {{- return(adapter.dispatch('relation_ranked_strict', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ranked_strict(q) -%}
/* The top of every query's list, with the ranks of the run. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_recommended,
  rank AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
{%- if q.depth is not none %}
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}
