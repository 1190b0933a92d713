{# Written from sql/4_metrics/recall.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_recall(q, m) %}
  {{- return(adapter.dispatch('metric_recall', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_recall(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro clickhouse__metric_recall(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro recall_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('recall', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test recall_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('recall', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('recall', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
