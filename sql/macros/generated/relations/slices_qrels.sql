{# Written from sql/2_ranking/slices/qrels.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_slices_qrels(q) %}
  {{- return(adapter.dispatch('relation_slices_qrels', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_slices_qrels(q) -%}
/* The slice of each query, from the columns of the qrels. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  MAX({{ slice.column }}) AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'qrels') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
