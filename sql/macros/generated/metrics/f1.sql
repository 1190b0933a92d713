{# Written from sql/4_metrics/f1.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_f1(q, m) %}
  {{- return(adapter.dispatch('metric_f1', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_f1(q, m) -%}
{%- if m.over == 'k' %}
2 * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) + {{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
2 * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(MAX(relevant) + CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro trino__metric_f1(q, m) -%}
{%- if m.over == 'k' %}
CAST(2 * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) + {{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
CAST(2 * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(MAX(relevant) + CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro athena__metric_f1(q, m) -%}
  {{- return(recall_duckdb.trino__metric_f1(q, m)) -}}
{%- endmacro %}

{% macro clickhouse__metric_f1(q, m) -%}
{%- if m.over == 'k' %}
2 * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(relevant) + {{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
2 * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(
  CAST(MAX(relevant) + CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro postgres__metric_f1(q, m) -%}
  {{- return(recall_duckdb.trino__metric_f1(q, m)) -}}
{%- endmacro %}

{% macro f1_at_k(
  run, qrels=none, k=10, over=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('f1', k, {'over': over, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test f1_at_k_at_least(
  model, at_least, qrels=none, k=10, over=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('f1', k, {'over': over, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('f1', k, {'over': over, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
