{# Written from sql/4_metrics/r_precision.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_r_precision(q, m) %}
  {{- return(adapter.dispatch('metric_r_precision', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_r_precision(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND COALESCE(relevant, rank) THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro clickhouse__metric_r_precision(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND COALESCE(relevant, rank) THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro r_precision(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('r_precision', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test r_precision_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('r_precision', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('r_precision', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
