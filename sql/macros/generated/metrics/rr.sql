{# Written from sql/4_metrics/rr.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_rr(q, m) %}
  {{- return(adapter.dispatch('metric_rr', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_rr(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN is_first / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
{%- endmacro %}

{% macro bigquery__metric_rr(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN is_first / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
{%- endmacro %}

{% macro clickhouse__metric_rr(q, m) -%}
CAST(SUM(
  CAST(COALESCE(
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN is_first / CAST(rank AS {{ recall_duckdb.type_double() }})
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
{%- endmacro %}

{% macro postgres__metric_rr(q, m) -%}
CAST(SUM(
  CAST(CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN is_first / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
{%- endmacro %}

{% macro redshift__metric_rr(q, m) -%}
  {{- return(recall_duckdb.default__metric_rr(q, m)) -}}
{%- endmacro %}

{% macro rr_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('rr', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test rr_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('rr', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('rr', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
