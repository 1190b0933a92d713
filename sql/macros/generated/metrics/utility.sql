{# Written from sql/4_metrics/utility.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_utility(q, m) %}
  {{- return(adapter.dispatch('metric_utility', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_utility(q, m) -%}
CAST('{{ m.hit }}' AS {{ recall_duckdb.type_double() }}) * CAST(COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) + CAST('{{ m.other }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(retrieved) - COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }}) + CAST('{{ m.missed }}' AS {{ recall_duckdb.type_double() }}) * CAST(MAX(relevant) - COALESCE(MAX(CASE WHEN rank >= 1 THEN hits END), 0) AS {{ recall_duckdb.type_double() }})
{%- endmacro %}

{% macro utility(
  run, qrels=none, hit=none, other=none, missed=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('utility', none, {'hit': hit, 'other': other, 'missed': missed, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test utility_at_least(
  model, at_least, qrels=none, hit=none, other=none, missed=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('utility', none, {'hit': hit, 'other': other, 'missed': missed, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('utility', none, {'hit': hit, 'other': other, 'missed': missed, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
