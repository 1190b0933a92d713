{# Written from sql/1_inputs/run/ranks.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_run_ranks(q) %}
  {{- return(adapter.dispatch('relation_run_ranks', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_run_ranks(q) -%}
/* The run, from a relation with one row per candidate and its rank; 1 is the first. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  rank AS rank,
  -CAST(rank AS {{ recall_duckdb.type_double() }}) AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
{%- endmacro %}
