{# Written from sql/4_metrics/popularity.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_popularity(q, m) %}
  {{- return(adapter.dispatch('metric_popularity', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_popularity(q, m) -%}
/* The mean popularity of the items in the top k. An item's popularity is the share of the training data's queries that hold it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(COALESCE(holders, 0)) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT(*) * MAX(training_queries) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN {{ recall_duckdb.read(q, 'training_size') }}
LEFT JOIN {{ recall_duckdb.read(q, 'held_items') }}
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_popularity(q, m) -%}
/* The mean popularity of the items in the top k. An item's popularity is the share of the training data's queries that hold it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(COALESCE(holders, 0)) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(COUNT(*) * MAX(training_queries) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN {{ recall_duckdb.read(q, 'training_size') }}
LEFT JOIN {{ recall_duckdb.read(q, 'held_items') }}
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro popularity_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('popularity', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test popularity_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('popularity', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('popularity', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
