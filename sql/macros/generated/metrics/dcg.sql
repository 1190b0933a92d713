{# Written from sql/4_metrics/dcg.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_dcg(q, m) %}
  {{- return(adapter.dispatch('metric_dcg', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_dcg(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(CAST('{{ m.base }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})) / LN(CAST(rank + 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain)
{%- endmacro %}

{% macro trino__metric_dcg(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(CAST('{{ m.base }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(rank + 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain)
{%- endmacro %}

{% macro athena__metric_dcg(q, m) -%}
  {{- return(recall_duckdb.trino__metric_dcg(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_dcg(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(CAST('{{ m.base }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})) / LN(CAST(rank + 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain)
{%- endmacro %}

{% macro clickhouse__metric_dcg(q, m) -%}
CAST(SUM(
  CAST(COALESCE(
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(CAST('{{ m.base }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})) / LN(CAST(rank + 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain)
{%- endmacro %}

{% macro postgres__metric_dcg(q, m) -%}
CAST(SUM(
  CAST(CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * LN(CAST(CAST('{{ m.base }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(rank + 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain)
{%- endmacro %}

{% macro redshift__metric_dcg(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * LN(CAST(CAST('{{ m.base }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(rank + 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain)
{%- endmacro %}

{% macro dcg_at_k(
  run, qrels=none, k=10, base=none, gain=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('dcg', k, {'base': base, 'gain': gain, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test dcg_at_k_at_least(
  model, at_least, qrels=none, k=10, base=none, gain=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('dcg', k, {'base': base, 'gain': gain, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('dcg', k, {'base': base, 'gain': gain, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
