{# Written from sql/4_metrics/coverage.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_coverage(q, m) %}
  {{- return(adapter.dispatch('metric_coverage', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_coverage(q, m) -%}
/* The share of the catalog's items that are in the top k of at least one list. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM(CASE WHEN best_rank BETWEEN 1 AND {{ m.k or 'best_rank' }} THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'models') }}
CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
LEFT JOIN (
  SELECT
    model AS model,
    item AS item,
    MIN(rank) AS best_rank
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    model,
    item
) AS shown_items
  USING (model, item)
GROUP BY
  model
{%- else %}
  CAST(SUM(CASE WHEN best_rank BETWEEN 1 AND {{ m.k or 'best_rank' }} THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'models') }}
CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
LEFT JOIN (
  SELECT
    item AS item,
    MIN(rank) AS best_rank
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    item
) AS shown_items
  USING (item)
{%- endif %}
{%- endmacro %}

{% macro coverage_at_k(
  run, qrels=none, k=10
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('coverage', k, {}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test coverage_at_k_at_least(
  model, at_least, qrels=none, k=10, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('coverage', k, {}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('coverage', k, {}), at_least, by, model, filter) -}}
{% endtest %}
