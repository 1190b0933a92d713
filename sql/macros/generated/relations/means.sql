{# Written from sql/5_summary/means.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_means(q) %}
  {{- return(adapter.dispatch('relation_means', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_means(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  k AS k,
  CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_mean {% endfor %}END AS value,
  CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_queries {% endfor %}END AS queries
FROM {{ recall_duckdb.read(q, 'averages') }}
CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
{%- endmacro %}
