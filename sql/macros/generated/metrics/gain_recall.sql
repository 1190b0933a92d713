{# Written from sql/4_metrics/gain_recall.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_gain_recall(q, m) %}
  {{- return(adapter.dispatch('metric_gain_recall', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_gain_recall(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
  CAST(SUM(
    CAST(CASE
      WHEN ideal_rank >= 1
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
  0
)
{%- endmacro %}

{% macro trino__metric_gain_recall(q, m) -%}
CAST(CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(SUM(
    CAST(CASE
      WHEN ideal_rank >= 1
      THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
  0
)
{%- endmacro %}

{% macro athena__metric_gain_recall(q, m) -%}
  {{- return(recall_duckdb.trino__metric_gain_recall(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_gain_recall(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
  CAST(SUM(
    CAST(CASE
      WHEN ideal_rank >= 1
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
  0
)
{%- endmacro %}

{% macro clickhouse__metric_gain_recall(q, m) -%}
CAST(SUM(
  CAST(COALESCE(
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(
  CAST(SUM(
    CAST(COALESCE(
      CASE
        WHEN ideal_rank >= 1
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
  0
)
{%- endmacro %}

{% macro postgres__metric_gain_recall(q, m) -%}
CAST(CAST(SUM(
  CAST(CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(SUM(
    CAST(CAST(CASE
      WHEN ideal_rank >= 1
      THEN CASE
        WHEN gain > 0
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
  0
)
{%- endmacro %}

{% macro redshift__metric_gain_recall(q, m) -%}
CAST(CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(SUM(
    CAST(CASE
      WHEN ideal_rank >= 1
      THEN CASE
        WHEN gain > 0
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
  0
)
{%- endmacro %}

{% macro gain_recall_at_k(
  run, qrels=none, k=10, gain=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('gain_recall', k, {'gain': gain, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test gain_recall_at_k_at_least(
  model, at_least, qrels=none, k=10, gain=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('gain_recall', k, {'gain': gain, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('gain_recall', k, {'gain': gain, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
