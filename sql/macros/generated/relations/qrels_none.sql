{# Written from sql/1_inputs/qrels/none.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_qrels_none(q) %}
  {{- return(adapter.dispatch('relation_qrels_none', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_qrels_none(q) -%}
/* The qrels of a question without qrels, for metrics that need no judgements: the queries of the run. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  MAX(CASE WHEN item IS NULL THEN item END) AS item,
  CAST(0 AS {{ recall_duckdb.type_double() }}) AS relevance
FROM {{ recall_duckdb.read(q, 'run') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
