{# Written from sql/2_ranking/slices/query_slices.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_slices_query_slices(q) %}
  {{- return(adapter.dispatch('relation_slices_query_slices', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_slices_query_slices(q) -%}
/* The slice of each query, from query_slices. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  MAX({{ slice.column }}) AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'query_slices') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
