{# Written from sql/4_metrics/unexpectedness.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_unexpectedness(q, m) %}
  {{- return(adapter.dispatch('metric_unexpectedness', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_unexpectedness(q, m) -%}
/* The share of the top k that is not obvious: that a baseline, for example, does not recommend. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(CASE WHEN is_obvious = 1 THEN 0 ELSE 1 END) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
LEFT JOIN {{ recall_duckdb.read(q, 'obvious_items') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_unexpectedness(q, m) -%}
/* The share of the top k that is not obvious: that a baseline, for example, does not recommend. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(CASE WHEN is_obvious = 1 THEN 0 ELSE 1 END) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
LEFT JOIN {{ recall_duckdb.read(q, 'obvious_items') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro unexpectedness_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('unexpectedness', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test unexpectedness_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('unexpectedness', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('unexpectedness', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
