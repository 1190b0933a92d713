{# Written from sql/1_inputs/qrels/rows.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_qrels_rows(q) %}
  {{- return(adapter.dispatch('relation_qrels_rows', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_qrels_rows(q) -%}
/* The qrels, from a relation with one row per judged item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance{% for slice in q.qrels_slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'qrels_source') }}
{%- endmacro %}
