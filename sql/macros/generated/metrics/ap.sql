{# Written from sql/4_metrics/ap.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_ap(q, m) %}
  {{- return(adapter.dispatch('metric_ap', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_ap(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(relevant_hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'relevant' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- elif m.over == 'capped' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
  CAST(CASE WHEN (
    MAX(relevant) > {{ m.k or 'MAX(retrieved)' }}
  ) THEN {{ m.k or 'MAX(retrieved)' }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- elif m.over == 'k' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
  CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro trino__metric_ap(q, m) -%}
CAST(CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(relevant_hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'relevant' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- elif m.over == 'capped' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(CASE WHEN (
    MAX(relevant) > {{ m.k or 'MAX(retrieved)' }}
  ) THEN {{ m.k or 'MAX(retrieved)' }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- elif m.over == 'k' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro athena__metric_ap(q, m) -%}
  {{- return(recall_duckdb.trino__metric_ap(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_ap(q, m) -%}
CAST(SUM(
  CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(relevant_hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
{%- if m.over == 'relevant' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- elif m.over == 'capped' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
  CAST(CASE WHEN (
    MAX(relevant) > {{ m.k or 'MAX(retrieved)' }}
  ) THEN {{ m.k or 'MAX(retrieved)' }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- elif m.over == 'k' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
  CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro clickhouse__metric_ap(q, m) -%}
CAST(SUM(
  CAST(COALESCE(
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN CAST(relevant_hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
{%- if m.over == 'relevant' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- elif m.over == 'capped' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(
  CAST(CASE WHEN (
    MAX(relevant) > {{ m.k or 'MAX(retrieved)' }}
  ) THEN {{ m.k or 'MAX(retrieved)' }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- elif m.over == 'k' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(
  CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro postgres__metric_ap(q, m) -%}
CAST(CAST(SUM(
  CAST(CAST(CASE
    WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
    THEN CAST(relevant_hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
{%- if m.over == 'relevant' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0)
{%- elif m.over == 'capped' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(CASE WHEN (
    MAX(relevant) > {{ m.k or 'MAX(retrieved)' }}
  ) THEN {{ m.k or 'MAX(retrieved)' }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}),
  0
)
{%- elif m.over == 'k' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(COALESCE(MAX(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN hits END), 0) AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endmacro %}

{% macro redshift__metric_ap(q, m) -%}
  {{- return(recall_duckdb.trino__metric_ap(q, m)) -}}
{%- endmacro %}

{% macro ap_at_k(
  run, qrels=none, k=10, over=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('ap', k, {'over': over, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test ap_at_k_at_least(
  model, at_least, qrels=none, k=10, over=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('ap', k, {'over': over, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('ap', k, {'over': over, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
