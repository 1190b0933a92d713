{# Written from sql/2_ranking/slices/run.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_slices_run(q) %}
  {{- return(adapter.dispatch('relation_slices_run', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_slices_run(q) -%}
/* The slice of each query, from the columns of the run. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  MAX({{ slice.column }}) AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'run_source') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
