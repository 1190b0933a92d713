{# Written from sql/4_metrics/rbp_residual.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_rbp_residual(q, m) %}
  {{- return(adapter.dispatch('metric_rbp_residual', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(CASE
        WHEN rank >= 1 AND relevance >= 0
        THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro bigquery__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(CASE
        WHEN rank >= 1 AND relevance >= 0
        THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro clickhouse__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN rank >= 1 AND relevance >= 0
          THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro postgres__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(CAST(CASE
        WHEN rank >= 1 AND relevance >= 0
        THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro redshift__metric_rbp_residual(q, m) -%}
  {{- return(recall_duckdb.default__metric_rbp_residual(q, m)) -}}
{%- endmacro %}

{% macro rbp_residual(
  run, qrels=none, p=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('rbp_residual', none, {'p': p, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test rbp_residual_at_least(
  model, at_least, qrels=none, p=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('rbp_residual', none, {'p': p, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('rbp_residual', none, {'p': p, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
