{# Written from sql/2_ranking/judgements.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_judgements(q) %}
  {{- return(adapter.dispatch('relation_judgements', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_judgements(q) -%}
/* The qrels, restricted to the listed items. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance
FROM {{ recall_duckdb.read(q, 'qrels') }}
{%- if q.has_items %}
LEFT JOIN {{ recall_duckdb.read(q, 'listed') }}
  USING (item)
WHERE
  is_listed = 1 OR item IS NULL
{%- endif %}
{%- endmacro %}
