{# Written from sql/2_ranking/judged_items.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_judged_items(q) %}
  {{- return(adapter.dispatch('relation_judged_items', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_judged_items(q) -%}
/* The judged items of every query. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_judged
FROM {{ recall_duckdb.read(q, 'judgements') }}
WHERE
  relevance >= 0
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}
