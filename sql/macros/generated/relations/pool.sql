{# Written from sql/5_summary/pool.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_pool(q) %}
  {{- return(adapter.dispatch('relation_pool', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_pool(q) -%}
/* The unjudged items that a metric reads in the list of any model, for judging. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  MIN(rank) AS best_rank,
  COUNT(*) AS models
FROM {{ recall_duckdb.read(q, 'ranked') }}
LEFT JOIN (
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
) AS judged_before
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
{%- if q.depth is none %}
  COALESCE(is_judged, 0) = 0 AND is_recommended = 1
{%- else %}
  COALESCE(is_judged, 0) = 0 AND is_recommended = 1 AND rank <= {{ q.depth }}
{%- endif %}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}
