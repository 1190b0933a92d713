{# Written from sql/4_metrics/eleven_point.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_eleven_point(q, m) %}
  {{- return(adapter.dispatch('metric_eleven_point', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_eleven_point(q, m) -%}
/* The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(precision_at * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / 11 AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths AS tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
    {%- if q.semantics == 'trec_eval_9' %}
        AND hits >= FLOOR(CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }}))
    {%- else %}
        AND hits >= FLOOR(CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }}))
    {%- endif %}
        THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS precision_at
  FROM {{ recall_duckdb.read(q, 'judged') }}
  CROSS JOIN (
    SELECT
      0 AS tenths
    UNION ALL
    SELECT
      1 AS tenths
    UNION ALL
    SELECT
      2 AS tenths
    UNION ALL
    SELECT
      3 AS tenths
    UNION ALL
    SELECT
      4 AS tenths
    UNION ALL
    SELECT
      5 AS tenths
    UNION ALL
    SELECT
      6 AS tenths
    UNION ALL
    SELECT
      7 AS tenths
    UNION ALL
    SELECT
      8 AS tenths
    UNION ALL
    SELECT
      9 AS tenths
    UNION ALL
    SELECT
      10 AS tenths
  ) AS levels
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths
) AS curve
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__metric_eleven_point(q, m) -%}
/* The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(precision_at * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / 11 AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths AS tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
    {%- if q.semantics == 'trec_eval_9' %}
        AND hits >= FLOOR(CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }}))
    {%- else %}
        AND hits >= FLOOR(CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }}))
    {%- endif %}
        THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS precision_at
  FROM {{ recall_duckdb.read(q, 'judged') }}
  CROSS JOIN (
    SELECT
      0 AS tenths
    UNION ALL
    SELECT
      1 AS tenths
    UNION ALL
    SELECT
      2 AS tenths
    UNION ALL
    SELECT
      3 AS tenths
    UNION ALL
    SELECT
      4 AS tenths
    UNION ALL
    SELECT
      5 AS tenths
    UNION ALL
    SELECT
      6 AS tenths
    UNION ALL
    SELECT
      7 AS tenths
    UNION ALL
    SELECT
      8 AS tenths
    UNION ALL
    SELECT
      9 AS tenths
    UNION ALL
    SELECT
      10 AS tenths
  ) AS levels
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths
) AS curve
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__metric_eleven_point(q, m) -%}
  {{- return(recall_duckdb.trino__metric_eleven_point(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_eleven_point(q, m) -%}
/* The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(precision_at * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / 11 AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths AS tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
        AND hits >= FLOOR(
    {%- if q.semantics == 'trec_eval_9' %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }})
    {%- else %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }})
    {%- endif %}
        )
        THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS precision_at
  FROM {{ recall_duckdb.read(q, 'judged') }}
  CROSS JOIN (
    SELECT
      0 AS tenths
    UNION ALL
    SELECT
      1 AS tenths
    UNION ALL
    SELECT
      2 AS tenths
    UNION ALL
    SELECT
      3 AS tenths
    UNION ALL
    SELECT
      4 AS tenths
    UNION ALL
    SELECT
      5 AS tenths
    UNION ALL
    SELECT
      6 AS tenths
    UNION ALL
    SELECT
      7 AS tenths
    UNION ALL
    SELECT
      8 AS tenths
    UNION ALL
    SELECT
      9 AS tenths
    UNION ALL
    SELECT
      10 AS tenths
  ) AS levels
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths
) AS curve
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_eleven_point(q, m) -%}
/* The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(COALESCE(
      precision_at * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / 11 AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths AS tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
        AND hits >= FLOOR(
    {%- if q.semantics == 'trec_eval_9' %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }})
    {%- else %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }})
    {%- endif %}
        )
        THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS precision_at
  FROM {{ recall_duckdb.read(q, 'judged') }}
  CROSS JOIN (
    SELECT
      0 AS tenths
    UNION ALL
    SELECT
      1 AS tenths
    UNION ALL
    SELECT
      2 AS tenths
    UNION ALL
    SELECT
      3 AS tenths
    UNION ALL
    SELECT
      4 AS tenths
    UNION ALL
    SELECT
      5 AS tenths
    UNION ALL
    SELECT
      6 AS tenths
    UNION ALL
    SELECT
      7 AS tenths
    UNION ALL
    SELECT
      8 AS tenths
    UNION ALL
    SELECT
      9 AS tenths
    UNION ALL
    SELECT
      10 AS tenths
  ) AS levels
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths
) AS curve
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_eleven_point(q, m) -%}
/* The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CAST(precision_at * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / 11 AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths AS tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
        AND hits >= FLOOR(
    {%- if q.semantics == 'trec_eval_9' %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }})
    {%- else %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }})
    {%- endif %}
        )
        THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS precision_at
  FROM {{ recall_duckdb.read(q, 'judged') }}
  CROSS JOIN (
    SELECT
      0 AS tenths
    UNION ALL
    SELECT
      1 AS tenths
    UNION ALL
    SELECT
      2 AS tenths
    UNION ALL
    SELECT
      3 AS tenths
    UNION ALL
    SELECT
      4 AS tenths
    UNION ALL
    SELECT
      5 AS tenths
    UNION ALL
    SELECT
      6 AS tenths
    UNION ALL
    SELECT
      7 AS tenths
    UNION ALL
    SELECT
      8 AS tenths
    UNION ALL
    SELECT
      9 AS tenths
    UNION ALL
    SELECT
      10 AS tenths
  ) AS levels
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths
) AS curve
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__metric_eleven_point(q, m) -%}
/* The 11-point average: the mean of interpolated precision at the recall levels 0, 0.1, 0.2, …, 1. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(precision_at * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / 11 AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths AS tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
        AND hits >= FLOOR(
    {%- if q.semantics == 'trec_eval_9' %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.9' AS {{ recall_duckdb.type_double() }})
    {%- else %}
          CAST(tenths AS {{ recall_duckdb.type_double() }}) / 10 * CAST(relevant AS {{ recall_duckdb.type_double() }}) + CAST('0.5' AS {{ recall_duckdb.type_double() }})
    {%- endif %}
        )
        THEN CAST(hits AS {{ recall_duckdb.type_double() }}) / CAST(rank AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS precision_at
  FROM {{ recall_duckdb.read(q, 'judged') }}
  CROSS JOIN (
    SELECT
      0 AS tenths
    UNION ALL
    SELECT
      1 AS tenths
    UNION ALL
    SELECT
      2 AS tenths
    UNION ALL
    SELECT
      3 AS tenths
    UNION ALL
    SELECT
      4 AS tenths
    UNION ALL
    SELECT
      5 AS tenths
    UNION ALL
    SELECT
      6 AS tenths
    UNION ALL
    SELECT
      7 AS tenths
    UNION ALL
    SELECT
      8 AS tenths
    UNION ALL
    SELECT
      9 AS tenths
    UNION ALL
    SELECT
      10 AS tenths
  ) AS levels
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    tenths
) AS curve
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro eleven_point(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('eleven_point', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test eleven_point_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('eleven_point', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('eleven_point', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
