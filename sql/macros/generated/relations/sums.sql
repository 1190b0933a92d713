{# Written from sql/6_comparison/sums.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_sums(q) %}
  {{- return(adapter.dispatch('relation_sums', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  COUNT(value) AS counted,
  COUNT(steps) AS queries,
  CAST(SUM(
    CAST(CASE WHEN NOT steps IS NULL THEN value / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS own_sum,
  CAST(SUM(
    CAST(CASE WHEN NOT steps IS NULL THEN base / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS base_sum,
  MAX(scale) AS scaled_by,
  CAST(SUM(steps) AS DECIMAL(38, 0)) AS steps_sum,
  SUM(CAST(steps AS DECIMAL(38, 0)) * CAST(steps AS DECIMAL(38, 0))) AS squares,
  COUNT(
    CASE
      WHEN steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS wins,
  COUNT(
    CASE
      WHEN steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS losses
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    value AS value,
    base AS base,
    steps AS steps,
    scale AS scale
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS value,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS base,
    CAST(NULL AS BIGINT) AS steps,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS scale
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model = '{{ q.baseline }}'
    GROUP BY
      model{% for slice in q.slices %},
      {{ slice.column }}{% endfor %}
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT
      model AS model
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model <> '{{ q.baseline }}'
    GROUP BY
      model
  ) AS models_compared
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS values_of_pairs
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
  is_slice = 0 OR (
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
  is_slice = 0
{%- endif %}
GROUP BY
  model,
  is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %},
  metric_no
{%- endmacro %}

{% macro trino__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  COUNT(value) AS counted,
  COUNT(steps) AS queries,
  CAST(SUM(
    CAST(CASE WHEN NOT steps IS NULL THEN CAST(value AS {{ recall_duckdb.type_double() }}) / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS own_sum,
  CAST(SUM(
    CAST(CASE WHEN NOT steps IS NULL THEN CAST(base AS {{ recall_duckdb.type_double() }}) / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS base_sum,
  MAX(scale) AS scaled_by,
  CAST(SUM(steps) AS DECIMAL(38, 0)) AS steps_sum,
  SUM(CAST(steps AS DECIMAL(38, 0)) * CAST(steps AS DECIMAL(38, 0))) AS squares,
  COUNT(
    CASE
      WHEN steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS wins,
  COUNT(
    CASE
      WHEN steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS losses
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    value AS value,
    base AS base,
    steps AS steps,
    scale AS scale
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS value,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS base,
    CAST(NULL AS BIGINT) AS steps,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS scale
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model = '{{ q.baseline }}'
    GROUP BY
      model{% for slice in q.slices %},
      {{ slice.column }}{% endfor %}
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT
      model AS model
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model <> '{{ q.baseline }}'
    GROUP BY
      model
  ) AS models_compared
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS values_of_pairs
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
  is_slice = 0 OR (
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
  is_slice = 0
{%- endif %}
GROUP BY
  model,
  is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %},
  metric_no
{%- endmacro %}

{% macro athena__relation_sums(q) -%}
  {{- return(recall_duckdb.trino__relation_sums(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  COUNT(value) AS counted,
  COUNT(steps) AS queries,
  CAST(SUM(
    CAST(CASE WHEN NOT steps IS NULL THEN value / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS own_sum,
  CAST(SUM(
    CAST(CASE WHEN NOT steps IS NULL THEN base / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS base_sum,
  MAX(scale) AS scaled_by,
  CAST(SUM(steps) AS BIGNUMERIC) AS steps_sum,
  SUM(CAST(steps AS BIGNUMERIC) * CAST(steps AS BIGNUMERIC)) AS squares,
  COUNT(
    CASE
      WHEN steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS wins,
  COUNT(
    CASE
      WHEN steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS losses
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    value AS value,
    base AS base,
    steps AS steps,
    scale AS scale
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS value,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS base,
    CAST(NULL AS INT64) AS steps,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS scale
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model = '{{ q.baseline }}'
    GROUP BY
      model{% for slice in q.slices %},
      {{ slice.column }}{% endfor %}
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT
      model AS model
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model <> '{{ q.baseline }}'
    GROUP BY
      model
  ) AS models_compared
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS values_of_pairs
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
  is_slice = 0 OR (
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
  is_slice = 0
{%- endif %}
GROUP BY
  model,
  is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %},
  metric_no
{%- endmacro %}

{% macro clickhouse__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  COUNT(value) AS counted,
  COUNT(steps) AS queries,
  CAST(SUM(
    CAST(COALESCE(
      CASE WHEN NOT (
        steps IS NULL
      ) THEN value / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS own_sum,
  CAST(SUM(
    CAST(COALESCE(
      CASE WHEN NOT (
        steps IS NULL
      ) THEN base / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS base_sum,
  MAX(scale) AS scaled_by,
  CAST(SUM(steps) AS Nullable(Decimal(38, 0))) AS steps_sum,
  SUM(
    CAST(steps AS Nullable(Decimal(38, 0))) * CAST(steps AS Nullable(Decimal(38, 0)))
  ) AS squares,
  COUNT(
    CASE
      WHEN steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS wins,
  COUNT(
    CASE
      WHEN steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS losses
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    value AS value,
    base AS base,
    steps AS steps,
    scale AS scale
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS value,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS base,
    CAST(NULL AS Nullable(Int64)) AS steps,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS scale
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model = '{{ q.baseline }}'
    GROUP BY
      model{% for slice in q.slices %},
      {{ slice.column }}{% endfor %}
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT
      model AS model
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model <> '{{ q.baseline }}'
    GROUP BY
      model
  ) AS models_compared
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS values_of_pairs
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
  is_slice = 0 OR (
    is_slice = 1{% for slice in q.slices %} AND NOT (
  {{ slice.column }} IS NULL
){% endfor %}
  )
{%- else %}
  is_slice = 0
{%- endif %}
GROUP BY
  model,
  is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %},
  metric_no
{%- endmacro %}

{% macro postgres__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  COUNT(value) AS counted,
  COUNT(steps) AS queries,
  CAST(SUM(
    CAST(CAST(CASE WHEN NOT steps IS NULL THEN CAST(value AS {{ recall_duckdb.type_double() }}) / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS own_sum,
  CAST(SUM(
    CAST(CAST(CASE WHEN NOT steps IS NULL THEN CAST(base AS {{ recall_duckdb.type_double() }}) / scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS base_sum,
  MAX(scale) AS scaled_by,
  CAST(CAST(SUM(steps) AS TEXT) AS DECIMAL(38, 0)) AS steps_sum,
  SUM(
    CAST(CAST(steps AS TEXT) AS DECIMAL(38, 0)) * CAST(CAST(steps AS TEXT) AS DECIMAL(38, 0))
  ) AS squares,
  COUNT(
    CASE
      WHEN steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS wins,
  COUNT(
    CASE
      WHEN steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS losses
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    value AS value,
    base AS base,
    steps AS steps,
    scale AS scale
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS value,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS base,
    CAST(NULL AS BIGINT) AS steps,
    CAST(NULL AS {{ recall_duckdb.type_double() }}) AS scale
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model = '{{ q.baseline }}'
    GROUP BY
      model{% for slice in q.slices %},
      {{ slice.column }}{% endfor %}
  ) AS slices_of_baseline
  CROSS JOIN (
    SELECT
      model AS model
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    WHERE
      model <> '{{ q.baseline }}'
    GROUP BY
      model
  ) AS models_compared
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS values_of_pairs
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
WHERE
{%- if q.slices %}
  is_slice = 0 OR (
    is_slice = 1{% for slice in q.slices %} AND NOT {{ slice.column }} IS NULL{% endfor %}
  )
{%- else %}
  is_slice = 0
{%- endif %}
GROUP BY
  model,
  is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %},
  metric_no
{%- endmacro %}

{% macro redshift__relation_sums(q) -%}
  {{- return(recall_duckdb.trino__relation_sums(q)) -}}
{%- endmacro %}
