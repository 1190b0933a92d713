{# Written from sql/2_ranking/held_items.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_held_items(q) %}
  {{- return(adapter.dispatch('relation_held_items', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_held_items(q) -%}
/* The number of queries in the training data that hold an item. */
SELECT
  item AS item,
  COUNT(*) AS holders
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item
  FROM {{ recall_duckdb.read(q, 'training') }}
  GROUP BY
    {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item
) AS held
GROUP BY
  item
{%- endmacro %}
