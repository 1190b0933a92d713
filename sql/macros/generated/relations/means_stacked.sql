{# Written from sql/5_summary/means/stacked.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_means_stacked(q) %}
  {{- return(adapter.dispatch('relation_means_stacked', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_means_stacked(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {{ m.column }}_mean AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {{ m.column }}_queries AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'averages') }}
{%- endmacro %}
