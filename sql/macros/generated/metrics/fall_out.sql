{# Written from sql/4_metrics/fall_out.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_fall_out(q, m) %}
  {{- return(adapter.dispatch('metric_fall_out', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_fall_out(q, m) -%}
{%- if m.of == 'retrieved' %}
CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(MAX(retrieved) - COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
{%- else %}
CAST(SUM(
  CASE
    WHEN is_relevant = 0 AND relevance >= 0 AND rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN 1
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}),
{%- endif %}
  0
)
{%- endmacro %}

{% macro clickhouse__metric_fall_out(q, m) -%}
{%- if m.of == 'retrieved' %}
CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(
  CAST(MAX(retrieved) - COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
{%- else %}
CAST(SUM(
  CASE
    WHEN is_relevant = 0 AND relevance >= 0 AND rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN 1
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / nullIf(
  CAST(SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}),
{%- endif %}
  0
)
{%- endmacro %}

{% macro fall_out_at_k(
  run, qrels=none, k=10, of=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('fall_out', k, {'of': of, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test fall_out_at_k_at_least(
  model, at_least, qrels=none, k=10, of=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('fall_out', k, {'of': of, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('fall_out', k, {'of': of, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
