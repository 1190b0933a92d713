{# Written from sql/4_metrics/num_nonrel_judged_ret.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_num_nonrel_judged_ret(q, m) %}
  {{- return(adapter.dispatch('metric_num_nonrel_judged_ret', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_num_nonrel_judged_ret(q, m) -%}
CAST(SUM(CASE WHEN rank >= 1 AND relevance >= 0 AND is_relevant = 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }})
{%- endmacro %}

{% macro num_nonrel_judged_ret(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('num_nonrel_judged_ret', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test num_nonrel_judged_ret_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('num_nonrel_judged_ret', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('num_nonrel_judged_ret', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
