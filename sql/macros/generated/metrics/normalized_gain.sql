{# Written from sql/4_metrics/normalized_gain.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_normalized_gain(q, m) %}
  {{- return(adapter.dispatch('metric_normalized_gain', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN in_list = 0 AND gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(
      CAST(gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
      THEN CAST(CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN in_list = 0 AND gain > 0
        THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(
      CAST(gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__metric_normalized_gain(q, m) -%}
  {{- return(recall_duckdb.trino__metric_normalized_gain(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN in_list = 0 AND gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(CAST(gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(COALESCE(
      CASE
        WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN in_list = 0 AND gain > 0
          THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(
      CAST(COALESCE(
        gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro spark__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN in_list = 0 AND gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(
      CAST(gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CAST(CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
      THEN CAST(CASE
        WHEN gain > 0
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CAST(CASE
        WHEN in_list = 0 AND gain > 0
        THEN CASE
          WHEN gain > 0
          THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
          ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
        END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(
      CAST(CAST(gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__metric_normalized_gain(q, m) -%}
/* The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead > 0
      THEN CAST(CASE
        WHEN gain > 0
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 + place AS {{ recall_duckdb.type_double() }}) + ahead)
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN in_list = 0 AND gain > 0
        THEN CASE
          WHEN gain > 0
          THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
          ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
        END
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    in_list AS in_list,
    place AS place,
    gain AS gain,
    top_gain AS top_gain,
    CAST(SUM(
      CAST(gain_ahead * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ahead
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      top_gain AS top_gain,
      CASE
        WHEN in_list = 1
        THEN -CAST(gain AS {{ recall_duckdb.type_double() }})
        WHEN gain > 1
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) - 1
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS gain_ahead
    FROM {{ recall_duckdb.read(q, 'judged') }}
    CROSS JOIN (
      SELECT
        0 AS in_list
      UNION ALL
      SELECT
        1 AS in_list
    ) AS orders
    WHERE
      in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro normalized_gain(
  run, qrels=none, gain=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('normalized_gain', none, {'gain': gain, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test normalized_gain_at_least(
  model, at_least, qrels=none, gain=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('normalized_gain', none, {'gain': gain, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('normalized_gain', none, {'gain': gain, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
