{# Written from sql/3_judging/shown.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_shown(q) %}
  {{- return(adapter.dispatch('relation_shown', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_shown(q) -%}
/* The recommended items of the judged queries that count, down to the deepest cutoff. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  rank AS rank
FROM {{ recall_duckdb.read(q, 'ranked') }}
INNER JOIN (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  FROM {{ recall_duckdb.read(q, 'graded') }}
{%- if q.no_relevant == 'skip' %}
  WHERE
    is_relevant = 1
{%- endif %}
  GROUP BY
    {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS counted_queries
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
WHERE
  is_recommended = 1
{%- endmacro %}
