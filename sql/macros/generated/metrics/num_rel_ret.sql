{# Written from sql/4_metrics/num_rel_ret.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_num_rel_ret(q, m) %}
  {{- return(adapter.dispatch('metric_num_rel_ret', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_num_rel_ret(q, m) -%}
CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }})
{%- endmacro %}

{% macro num_rel_ret(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('num_rel_ret', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test num_rel_ret_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('num_rel_ret', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('num_rel_ret', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
