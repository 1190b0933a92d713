{# Written from sql/4_metrics/set_ap.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_set_ap(q, m) %}
  {{- return(adapter.dispatch('metric_set_ap', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_set_ap(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(retrieved) AS {{ recall_duckdb.type_double() }}), 0) * CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro trino__metric_set_ap(q, m) -%}
CAST(CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(retrieved) AS {{ recall_duckdb.type_double() }}), 0) * CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro athena__metric_set_ap(q, m) -%}
  {{- return(recall_duckdb.trino__metric_set_ap(q, m)) -}}
{%- endmacro %}

{% macro clickhouse__metric_set_ap(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(retrieved) AS {{ recall_duckdb.type_double() }}), 0) * CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro postgres__metric_set_ap(q, m) -%}
  {{- return(recall_duckdb.trino__metric_set_ap(q, m)) -}}
{%- endmacro %}

{% macro set_ap(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('set_ap', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test set_ap_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('set_ap', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('set_ap', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
