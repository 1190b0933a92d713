{# Written from sql/5_summary/averages.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_averages(q) %}
  {{- return(adapter.dispatch('relation_averages', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_averages(q) -%}
/* The mean of every metric, and the number of queries in it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(
      CAST(SUM(
        CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      0
    )
  )
  {%- else %}
  CAST(SUM(
    CAST({{ m.column }} * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(
    CAST(SUM(
      CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
    0
  )
  {%- endif %}
  {%- else %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(
      CAST(COUNT(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        )
      ) AS {{ recall_duckdb.type_double() }}),
      0
    )
  )
  {%- else %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(COUNT({{ m.column }}) AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %} AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {% if q.has_weights %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% elif m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% else %}COUNT({{ m.column }}){% endif %}{% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
{%- if q.item_sliced %}
  (
    is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
  ) OR (
{%- else %}
  is_slice = 0 OR (
{%- endif %}
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
{%- if q.item_sliced %}
  is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
{%- else %}
  is_slice = 0
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro trino__relation_averages(q) -%}
/* The mean of every metric, and the number of queries in it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
      CAST(SUM(
        CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      0
    )
  )
  {%- else %}
  CAST(CAST(SUM(
    CAST({{ m.column }} * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
    0
  )
  {%- endif %}
  {%- else %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
      CAST(COUNT(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        )
      ) AS {{ recall_duckdb.type_double() }}),
      0
    )
  )
  {%- else %}
  CAST(CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT({{ m.column }}) AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %} AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {% if q.has_weights %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% elif m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% else %}COUNT({{ m.column }}){% endif %}{% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
{%- if q.item_sliced %}
  (
    is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
  ) OR (
{%- else %}
  is_slice = 0 OR (
{%- endif %}
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
{%- if q.item_sliced %}
  is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
{%- else %}
  is_slice = 0
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro athena__relation_averages(q) -%}
  {{- return(recall_duckdb.trino__relation_averages(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_averages(q) -%}
/* The mean of every metric, and the number of queries in it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(
      CAST(SUM(
        CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      0
    )
  )
  {%- else %}
  CAST(SUM(
    CAST({{ m.column }} * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(
    CAST(SUM(
      CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
    0
  )
  {%- endif %}
  {%- else %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(
      CAST(COUNT(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        )
      ) AS {{ recall_duckdb.type_double() }}),
      0
    )
  )
  {%- else %}
  CAST(SUM(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(COUNT({{ m.column }}) AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %} AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {% if q.has_weights %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% elif m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% else %}COUNT({{ m.column }}){% endif %}{% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
{%- if q.item_sliced %}
  (
    is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
  ) OR (
{%- else %}
  is_slice = 0 OR (
{%- endif %}
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
{%- if q.item_sliced %}
  is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
{%- else %}
  is_slice = 0
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro clickhouse__relation_averages(q) -%}
/* The mean of every metric, and the number of queries in it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(
    CAST(COALESCE(
      {{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(SUM(
      CAST(COALESCE(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        ) * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / nullIf(
      CAST(SUM(
        CAST(COALESCE(
          CASE WHEN NOT (
            {{ m.column }} IS NULL
          ) THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
          CAST(0 AS {{ recall_duckdb.type_double() }})
        ) AS Nullable(Decimal(38, 0)))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      0
    )
  )
  {%- else %}
  CAST(SUM(
    CAST(COALESCE(
      {{ m.column }} * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / nullIf(
    CAST(SUM(
      CAST(COALESCE(
        CASE WHEN NOT (
          {{ m.column }} IS NULL
        ) THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
    0
  )
  {%- endif %}
  {%- else %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(
    CAST(COALESCE(
      {{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(SUM(
      CAST(COALESCE(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / nullIf(
      CAST(COUNT(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        )
      ) AS {{ recall_duckdb.type_double() }}),
      0
    )
  )
  {%- else %}
  CAST(SUM(
    CAST(COALESCE(
      {{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / nullIf(CAST(COUNT({{ m.column }}) AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %} AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {% if q.has_weights %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% elif m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% else %}COUNT({{ m.column }}){% endif %}{% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
{%- if q.item_sliced %}
  (
    is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
  ) OR (
{%- else %}
  is_slice = 0 OR (
{%- endif %}
    is_slice = 1{% for slice in q.slices %} AND NOT (
  {{ slice.column }} IS NULL
){% endfor %}
  )
{%- else %}
{%- if q.item_sliced %}
  is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
{%- else %}
  is_slice = 0
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro postgres__relation_averages(q) -%}
/* The mean of every metric, and the number of queries in it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(
    CAST(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(CAST(SUM(
      CAST(CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
      CAST(SUM(
        CAST(CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      0
    )
  )
  {%- else %}
  CAST(CAST(SUM(
    CAST(CAST({{ m.column }} * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
    0
  )
  {%- endif %}
  {%- else %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(
    CAST(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(CAST(SUM(
      CAST(CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
      CAST(COUNT(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        )
      ) AS {{ recall_duckdb.type_double() }}),
      0
    )
  )
  {%- else %}
  CAST(CAST(SUM(
    CAST(CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT({{ m.column }}) AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %} AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {% if q.has_weights %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% elif m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% else %}COUNT({{ m.column }}){% endif %}{% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
{%- if q.item_sliced %}
  (
    is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
  ) OR (
{%- else %}
  is_slice = 0 OR (
{%- endif %}
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
{%- if q.item_sliced %}
  is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
{%- else %}
  is_slice = 0
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro redshift__relation_averages(q) -%}
/* The mean of every metric, and the number of queries in it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(
    CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
      CAST(SUM(
        CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      0
    )
  )
  {%- else %}
  CAST(CAST(SUM(
    CAST({{ m.column }} * query_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE WHEN NOT {{ m.column }} IS NULL THEN query_weight END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
    0
  )
  {%- endif %}
  {%- else %}
  {%- if m.mean == 'whole' %}
  MAX(CASE WHEN is_slice = 0 THEN {{ m.column }} END)
  {%- elif m.mean == 'sum' %}
  CAST(SUM(
    CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }}))
  {%- elif m.mean == 'geometric' %}
  EXP(
    CAST(CAST(SUM(
      CAST(LN(
        CASE
          WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
          ELSE {{ m.column }}
        END
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(
      CAST(COUNT(
        LN(
          CASE
            WHEN {{ m.column }} < CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            THEN CAST('0.00001' AS {{ recall_duckdb.type_double() }})
            ELSE {{ m.column }}
          END
        )
      ) AS {{ recall_duckdb.type_double() }}),
      0
    )
  )
  {%- else %}
  CAST(CAST(SUM(
    CAST({{ m.column }} * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT({{ m.column }}) AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %} AS {{ m.column }}_mean{% endfor %}{% for m in q.metrics %},
  {% if q.has_weights %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% elif m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}{% if m.mean == 'whole' %}COUNT(CASE WHEN is_slice = 0 THEN {{ m.column }} END){% else %}COUNT({{ m.column }}){% endif %}{% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
{%- if q.item_sliced %}
  (
    is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
  ) OR (
{%- else %}
  is_slice = 0 OR (
{%- endif %}
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
{%- if q.item_sliced %}
  is_slice = 0{% if q.item_sliced %} AND item_slice_no = 0{% endif %}
{%- else %}
  is_slice = 0
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}
