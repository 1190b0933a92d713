{# Written from sql/4_metrics/unjudged.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_unjudged(q, m) %}
  {{- return(adapter.dispatch('metric_unjudged', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_unjudged(q, m) -%}
CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro clickhouse__metric_unjudged(q, m) -%}
CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro unjudged_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('unjudged', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test unjudged_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('unjudged', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('unjudged', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
