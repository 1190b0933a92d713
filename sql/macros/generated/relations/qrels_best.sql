{# Written from sql/1_inputs/qrels/best.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_qrels_best(q) %}
  {{- return(adapter.dispatch('relation_qrels_best', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_qrels_best(q) -%}
/* The qrels for duplicates = best: an item that a query judges twice counts once, with its highest relevance. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  MAX(relevance) AS relevance{% for slice in q.qrels_slices %},
  MAX({{ slice.column }}) AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'qrels_source') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}
