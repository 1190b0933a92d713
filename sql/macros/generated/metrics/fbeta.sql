{# Written from sql/4_metrics/fbeta.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_fbeta(q, m) %}
  {{- return(adapter.dispatch('metric_fbeta', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_fbeta(q, m) -%}
(
  1 + CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }})
) * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / NULLIF(
{%- if m.over == 'k' %}
  CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) + CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}),
{%- else %}
  CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) + CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ recall_duckdb.type_double() }}),
{%- endif %}
  0
)
{%- endmacro %}

{% macro trino__metric_fbeta(q, m) -%}
CAST((
  1 + CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }})
) * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}) / NULLIF(
{%- if m.over == 'k' %}
  CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) + CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}),
{%- else %}
  CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) + CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ recall_duckdb.type_double() }}),
{%- endif %}
  0
)
{%- endmacro %}

{% macro athena__metric_fbeta(q, m) -%}
  {{- return(recall_duckdb.trino__metric_fbeta(q, m)) -}}
{%- endmacro %}

{% macro clickhouse__metric_fbeta(q, m) -%}
(
  1 + CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }})
) * CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) / nullIf(
{%- if m.over == 'k' %}
  CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) + CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}),
{%- else %}
  CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST('{{ m.beta }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) + CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ recall_duckdb.type_double() }}),
{%- endif %}
  0
)
{%- endmacro %}

{% macro postgres__metric_fbeta(q, m) -%}
  {{- return(recall_duckdb.trino__metric_fbeta(q, m)) -}}
{%- endmacro %}

{% macro fbeta_at_k(
  run, qrels=none, k=10, beta=none, over=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('fbeta', k, {'beta': beta, 'over': over, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test fbeta_at_k_at_least(
  model, at_least, qrels=none, k=10, beta=none, over=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('fbeta', k, {'beta': beta, 'over': over, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('fbeta', k, {'beta': beta, 'over': over, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
