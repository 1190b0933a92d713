{# Written from sql/2_ranking/numbered_slices.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_numbered_slices(q) %}
  {{- return(adapter.dispatch('relation_numbered_slices', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_numbered_slices(q) -%}
/* The slices of items, each with its number. */
SELECT
  {% if q.item_sliced %}item_slice_no AS item_slice_no,
  {% endif %}{% for slice in q.slices %}{{ slice.column }} AS item_{{ slice.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'numbered_items') }}
GROUP BY
  {% if q.item_sliced %}item_slice_no,
  {% endif %}{% for slice in q.slices %}{{ slice.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
