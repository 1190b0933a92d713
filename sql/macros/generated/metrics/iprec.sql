{# Written from sql/4_metrics/iprec.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_iprec(q, m) %}
  {{- return(adapter.dispatch('metric_iprec', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_iprec(q, m) -%}
MAX(
  CASE
    WHEN is_relevant = 1
    AND rank >= 1
{%- if q.semantics == 'trec_eval_9' %}
    AND hits >= FLOOR(CAST('{{ m.recall }}' AS {{ recall_duckdb.type_double() }}) * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }}))
{%- else %}
    AND hits >= FLOOR(CAST('{{ m.recall }}' AS {{ recall_duckdb.type_double() }}) * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }}))
{%- endif %}
    THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END
)
{%- endmacro %}

{% macro clickhouse__metric_iprec(q, m) -%}
MAX(
  CASE
    WHEN is_relevant = 1
    AND rank >= 1
    AND hits >= FLOOR(
{%- if q.semantics == 'trec_eval_9' %}
      CAST('{{ m.recall }}' AS {{ recall_duckdb.type_double() }}) * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }})
{%- else %}
      CAST('{{ m.recall }}' AS {{ recall_duckdb.type_double() }}) * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }})
{%- endif %}
    )
    THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END
)
{%- endmacro %}

{% macro postgres__metric_iprec(q, m) -%}
  {{- return(recall_duckdb.clickhouse__metric_iprec(q, m)) -}}
{%- endmacro %}

{% macro iprec(
  run, qrels=none, recall=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('iprec', none, {'recall': recall, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test iprec_at_least(
  model, at_least, qrels=none, recall=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('iprec', none, {'recall': recall, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('iprec', none, {'recall': recall, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
