{# Written from sql/4_metrics/ndcg_r.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_ndcg_r(q, m) %}
  {{- return(adapter.dispatch('metric_ndcg_r', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    (
      CAST(SUM(
        CAST(CASE WHEN is_cutoff = 1 THEN own / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN MAX(own) / NULLIF(MAX(ideal), 0)
      ELSE 0
    END
  ) / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        LEAD(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC NULLS FIRST),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }}))
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro trino__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST((
    (
      CAST(SUM(
        CAST(CASE WHEN is_cutoff = 1 THEN CAST(own AS {{ recall_duckdb.type_double() }}) / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN CAST(MAX(own) AS {{ recall_duckdb.type_double() }}) / NULLIF(MAX(ideal), 0)
      ELSE 0
    END
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        LEAD(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC NULLS FIRST),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CAST(CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }}))
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro athena__metric_ndcg_r(q, m) -%}
  {{- return(recall_duckdb.trino__metric_ndcg_r(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    (
      CAST(SUM(
        CAST(CASE WHEN is_cutoff = 1 THEN own / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN MAX(own) / NULLIF(MAX(ideal), 0)
      ELSE 0
    END
  ) / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        LEAD(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }}))
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro clickhouse__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    (
      CAST(SUM(
        CAST(COALESCE(
          CASE WHEN is_cutoff = 1 THEN own / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
          CAST(0 AS {{ recall_duckdb.type_double() }})
        ) AS Nullable(Decimal(38, 0)))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN MAX(own) / nullIf(MAX(ideal), 0)
      ELSE 0
    END
  ) / nullIf(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        lead(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC NULLS FIRST),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(COALESCE(
        CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(COALESCE(
        CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(
          CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }})
        )
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro spark__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    (
      CAST(SUM(
        CAST(CASE WHEN is_cutoff = 1 THEN own / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN MAX(own) / NULLIF(MAX(ideal), 0)
      ELSE 0
    END
  ) / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        LEAD(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) / LN(CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }}))
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro postgres__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST((
    (
      CAST(SUM(
        CAST(CAST(CASE WHEN is_cutoff = 1 THEN CAST(own AS {{ recall_duckdb.type_double() }}) / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN CAST(MAX(own) AS {{ recall_duckdb.type_double() }}) / NULLIF(MAX(ideal), 0)
      ELSE 0
    END
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        LEAD(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC NULLS FIRST),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(CAST(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(CAST(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CAST(CASE
          WHEN gain > 0
          THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
          ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
        END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(
          CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }})
        )
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro redshift__metric_ndcg_r(q, m) -%}
/* The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST((
    (
      CAST(SUM(
        CAST(CASE WHEN is_cutoff = 1 THEN CAST(own AS {{ recall_duckdb.type_double() }}) / ideal ELSE 0 END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
    ) + CASE
      WHEN MAX(retrieved) > MAX(last_gain) + 1
      THEN CAST(MAX(own) AS {{ recall_duckdb.type_double() }}) / NULLIF(MAX(ideal), 0)
      ELSE 0
    END
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ recall_duckdb.type_double() }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    retrieved AS retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(
        LEAD(CAST(gain AS {{ recall_duckdb.type_double() }})) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, in_list ORDER BY place ASC NULLS FIRST),
        0
      )
      THEN 1
      ELSE 0
    END AS is_cutoff,
    CAST(SUM(
      CAST(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS own,
    CAST(SUM(
      CAST(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY place ASC NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS ideal
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      in_list AS in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain AS gain,
      retrieved AS retrieved,
      CASE
        WHEN gain > 0
        THEN CAST(CASE
          WHEN gain > 0
          THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
          ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
        END * LN(CAST(2 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / LN(
          CAST(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1 AS {{ recall_duckdb.type_double() }})
        )
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END AS worth
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

{% macro ndcg_r(
  run, qrels=none, gain=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('ndcg_r', none, {'gain': gain, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test ndcg_r_at_least(
  model, at_least, qrels=none, gain=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('ndcg_r', none, {'gain': gain, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('ndcg_r', none, {'gain': gain, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
