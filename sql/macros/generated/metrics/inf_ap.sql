{# Written from sql/4_metrics/inf_ap.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_inf_ap(q, m) %}
  {{- return(adapter.dispatch('metric_inf_ap', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_inf_ap(q, m) -%}
/* Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's rank is estimated from the judged items above it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN rank = 1
      THEN 1
      ELSE 1 / CAST(rank AS {{ recall_duckdb.type_double() }}) + CAST(pooled_above AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }}) * (
        CAST(hits - 1 AS {{ recall_duckdb.type_double() }}) + CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      ) / (
        CAST(judged_above AS {{ recall_duckdb.type_double() }}) + 2 * CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      )
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    hits AS hits,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
    ) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS sampled
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__metric_inf_ap(q, m) -%}
/* Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's rank is estimated from the judged items above it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN rank = 1
      THEN 1
      ELSE 1 / CAST(rank AS {{ recall_duckdb.type_double() }}) + CAST(CAST(pooled_above AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }}) * (
        CAST(hits - 1 AS {{ recall_duckdb.type_double() }}) + CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      ) AS {{ recall_duckdb.type_double() }}) / (
        CAST(judged_above AS {{ recall_duckdb.type_double() }}) + 2 * CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      )
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    hits AS hits,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
    ) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS sampled
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__metric_inf_ap(q, m) -%}
  {{- return(recall_duckdb.trino__metric_inf_ap(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_inf_ap(q, m) -%}
/* Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's rank is estimated from the judged items above it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN rank = 1
      THEN 1
      ELSE 1 / CAST(rank AS {{ recall_duckdb.type_double() }}) + CAST(pooled_above AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }}) * (
        CAST(hits - 1 AS {{ recall_duckdb.type_double() }}) + CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      ) / (
        CAST(judged_above AS {{ recall_duckdb.type_double() }}) + 2 * CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      )
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    hits AS hits,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
    ) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS sampled
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_inf_ap(q, m) -%}
/* Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's rank is estimated from the judged items above it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(COALESCE(
      CASE
        WHEN is_relevant = 0 OR rank IS NULL
        THEN 0
        WHEN rank = 1
        THEN 1
        ELSE 1 / CAST(rank AS {{ recall_duckdb.type_double() }}) + CAST(pooled_above AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }}) * (
          CAST(hits - 1 AS {{ recall_duckdb.type_double() }}) + CAST('0.00001' AS {{ recall_duckdb.type_double() }})
        ) / (
          CAST(judged_above AS {{ recall_duckdb.type_double() }}) + 2 * CAST('0.00001' AS {{ recall_duckdb.type_double() }})
        )
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    hits AS hits,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
    ) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS sampled
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro spark__metric_inf_ap(q, m) -%}
/* Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's rank is estimated from the judged items above it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN rank = 1
      THEN 1
      ELSE 1 / CAST(rank AS {{ recall_duckdb.type_double() }}) + CAST(pooled_above AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }}) * (
        CAST(hits - 1 AS {{ recall_duckdb.type_double() }}) + CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      ) / (
        CAST(judged_above AS {{ recall_duckdb.type_double() }}) + 2 * CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      )
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    hits AS hits,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
    ) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS sampled
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_inf_ap(q, m) -%}
/* Inferred average precision, for qrels that judge only a sample of the pool: the precision at each relevant item's rank is estimated from the judged items above it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN rank = 1
      THEN 1
      ELSE 1 / CAST(rank AS {{ recall_duckdb.type_double() }}) + CAST(CAST(pooled_above AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }}) * (
        CAST(hits - 1 AS {{ recall_duckdb.type_double() }}) + CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      ) AS {{ recall_duckdb.type_double() }}) / (
        CAST(judged_above AS {{ recall_duckdb.type_double() }}) + 2 * CAST('0.00001' AS {{ recall_duckdb.type_double() }})
      )
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    hits AS hits,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
    ) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - 1 AS judged_above
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS sampled
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__metric_inf_ap(q, m) -%}
  {{- return(recall_duckdb.trino__metric_inf_ap(q, m)) -}}
{%- endmacro %}

{% macro inf_ap(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('inf_ap', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test inf_ap_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('inf_ap', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('inf_ap', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
