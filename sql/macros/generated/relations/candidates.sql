{# Written from sql/2_ranking/candidates.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_candidates(q) %}
  {{- return(adapter.dispatch('relation_candidates', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_candidates(q) -%}
/* The run without excluded items, and without unjudged items if unjudged = drop. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  score AS score
FROM {{ recall_duckdb.read(q, 'run') }}
{%- if q.has_exclude %}
LEFT JOIN {{ recall_duckdb.read(q, 'excluded') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- if q.has_items %}
LEFT JOIN {{ recall_duckdb.read(q, 'listed') }}
  USING (item)
{%- if q.judged_only %}
LEFT JOIN {{ recall_duckdb.read(q, 'judged_items') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
  COALESCE(is_excluded, 0) = 0 AND is_listed = 1 AND is_judged = 1
{%- else %}
WHERE
  COALESCE(is_excluded, 0) = 0 AND is_listed = 1
{%- endif %}
{%- else %}
{%- if q.judged_only %}
LEFT JOIN {{ recall_duckdb.read(q, 'judged_items') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
  COALESCE(is_excluded, 0) = 0 AND is_judged = 1
{%- else %}
WHERE
  COALESCE(is_excluded, 0) = 0
{%- endif %}
{%- endif %}
{%- else %}
{%- if q.has_items %}
LEFT JOIN {{ recall_duckdb.read(q, 'listed') }}
  USING (item)
{%- if q.judged_only %}
LEFT JOIN {{ recall_duckdb.read(q, 'judged_items') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
  is_listed = 1 AND is_judged = 1
{%- else %}
WHERE
  is_listed = 1
{%- endif %}
{%- else %}
{%- if q.judged_only %}
LEFT JOIN {{ recall_duckdb.read(q, 'judged_items') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
  is_judged = 1
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}
