{# Written from sql/5_summary/every_query.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_every_query(q) %}
  {{- return(adapter.dispatch('relation_every_query', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_every_query(q) -%}
/* The values of per_query, with a row of NULLs for a model without judged queries, for empty = allow. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for slice in q.slices %}CASE WHEN is_judged = 1 THEN {{ slice.column }} END AS {{ slice.column }},
  {% endfor %}{% if q.item_sliced %}CASE WHEN is_judged = 1 THEN item_slice_no ELSE 0 END AS item_slice_no,
  {% endif %}{% if q.has_weights %}CASE WHEN is_judged = 1 THEN query_weight END AS query_weight,
  {% endif %}{% for m in q.metrics %}CASE WHEN is_judged = 1 THEN {{ m.column }} END AS {{ m.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'named_models') }}
LEFT JOIN (
  SELECT
    {% if q.models %}model AS own_model,
    {% endif %}{% for slice in q.slices %}{{ slice.column }} AS {{ slice.column }},
    {% endfor %}{% if q.item_sliced %}item_slice_no AS item_slice_no,
    {% endif %}{% if q.has_weights %}query_weight AS query_weight,
    {% endif %}{% for m in q.metrics %}{{ m.column }} AS {{ m.column }}{{ ', ' if not loop.last }}{% endfor %},
    1 AS is_judged
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS judged_queries
  ON 1 = 1{% if q.models %} AND model = own_model{% endif %}
{%- if not q.may_be_empty %}
WHERE
  is_judged = 1
{%- endif %}
{%- endmacro %}
