{# Written from sql/5_summary/means/direct.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_means_direct(q) %}
  {{- return(adapter.dispatch('relation_means_direct', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_means_direct(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX({{ m.column }})
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
  MAX({{ m.column }})
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
  {% if q.has_weights %}{% if m.mean == 'whole' or m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}COUNT({{ m.column }}){% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
GROUP BY
  {% for model in ['model' if q.models else q.only_model] %}{{ model }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__relation_means_direct(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX({{ m.column }})
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
  MAX({{ m.column }})
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
  {% if q.has_weights %}{% if m.mean == 'whole' or m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}COUNT({{ m.column }}){% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
GROUP BY
  {% for model in ['model' if q.models else q.only_model] %}{{ model }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__relation_means_direct(q) -%}
  {{- return(recall_duckdb.trino__relation_means_direct(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_means_direct(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX({{ m.column }})
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
  MAX({{ m.column }})
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
  {% if q.has_weights %}{% if m.mean == 'whole' or m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}COUNT({{ m.column }}){% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
GROUP BY
  {% for model in ['model' if q.models else q.only_model] %}{{ model }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__relation_means_direct(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX({{ m.column }})
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
  MAX({{ m.column }})
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
  {% if q.has_weights %}{% if m.mean == 'whole' or m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}COUNT({{ m.column }}){% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
GROUP BY
  {% for model in ['model' if q.models else q.only_model] %}{{ model }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__relation_means_direct(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX({{ m.column }})
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
  MAX({{ m.column }})
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
  {% if q.has_weights %}{% if m.mean == 'whole' or m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}COUNT({{ m.column }}){% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
GROUP BY
  {% for model in ['model' if q.models else q.only_model] %}{{ model }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__relation_means_direct(q) -%}
/* The means in long form. */
SELECT
  {% for model in ['model' if q.models else q.only_model] %}{{ model }} AS model{{ ', ' if not loop.last }}{% endfor %},
  '{{ m.name }}' AS metric,
  {% if m.k is none %}NULL{% else %}{{ m.k }}{% endif %} AS k{% for m in q.metrics %},
  {%- if q.has_weights %}
  {%- if m.mean == 'whole' %}
  MAX({{ m.column }})
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
  MAX({{ m.column }})
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
  {% if q.has_weights %}{% if m.mean == 'whole' or m.mean == 'sum' %}COUNT({{ m.column }}){% else %}COUNT(CASE WHEN query_weight > 0 THEN {{ m.column }} END){% endif %}{% else %}COUNT({{ m.column }}){% endif %} AS {{ m.column }}_queries{% endfor %}
FROM {{ recall_duckdb.read(q, 'every_query') }}
GROUP BY
  {% for model in ['model' if q.models else q.only_model] %}{{ model }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
