{# Written from sql/1_inputs/qrels/shared.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_qrels_shared(q) %}
  {{- return(adapter.dispatch('relation_qrels_shared', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_qrels_shared(q) -%}
/* The qrels, from a labelled relation of several models, which repeats the label of an item for each model. */
SELECT DISTINCT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance{% for slice in q.qrels_slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'qrels_source') }}
{%- endmacro %}
