{# Written from sql/4_metrics/average_rank.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_average_rank(q, m) %}
  {{- return(adapter.dispatch('metric_average_rank', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_average_rank(q, m) -%}
CAST(SUM(CASE WHEN is_relevant = 1 AND rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN rank END) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(SUM(CASE WHEN is_relevant = 1 AND rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 END) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endmacro %}

{% macro clickhouse__metric_average_rank(q, m) -%}
CAST(SUM(CASE WHEN is_relevant = 1 AND rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN rank END) AS {{ recall_duckdb.type_double() }}) / nullIf(
  CAST(SUM(CASE WHEN is_relevant = 1 AND rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 END) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endmacro %}

{% macro average_rank_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('average_rank', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test average_rank_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('average_rank', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('average_rank', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
