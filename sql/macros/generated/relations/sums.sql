{# Written from sql/6_comparison/sums.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_sums(q) %}
  {{- return(adapter.dispatch('relation_sums', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}) AS {{ m.column }}_count{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}_steps) AS {{ m.column }}_pairs{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE WHEN NOT {{ m.column }}_steps IS NULL THEN {{ m.column }} / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_sum{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE WHEN NOT {{ m.column }}_steps IS NULL THEN {{ m.column }}_base / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_base_sum{% endfor %}{% for m in q.metrics %},
  MAX({{ m.column }}_scale) AS {{ m.column }}_scaled_by{% endfor %}{% for m in q.metrics %},
  CAST(SUM({{ m.column }}_steps) AS DECIMAL(38, 0)) AS {{ m.column }}_steps_sum{% endfor %}{% for m in q.metrics %},
  SUM(CAST({{ m.column }}_steps AS DECIMAL(38, 0)) * CAST({{ m.column }}_steps AS DECIMAL(38, 0))) AS {{ m.column }}_squares{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS {{ m.column }}_wins{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS {{ m.column }}_losses{% endfor %}
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_base AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_steps AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_scale AS {{ m.column }}_scale{% endfor %}
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    CAST(CASE WHEN model = base_model THEN {{ m.column }}_base END AS BIGINT) AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_scale{% endfor %}
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
      MIN({{ m.column }}) AS {{ m.column }}_base{% endfor %}
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
    FROM {{ recall_duckdb.read(q, 'pairs') }}
    GROUP BY
      model
  ) AS models_compared
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
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro trino__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}) AS {{ m.column }}_count{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}_steps) AS {{ m.column }}_pairs{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE WHEN NOT {{ m.column }}_steps IS NULL THEN CAST({{ m.column }} AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_sum{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE WHEN NOT {{ m.column }}_steps IS NULL THEN CAST({{ m.column }}_base AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_base_sum{% endfor %}{% for m in q.metrics %},
  MAX({{ m.column }}_scale) AS {{ m.column }}_scaled_by{% endfor %}{% for m in q.metrics %},
  CAST(SUM({{ m.column }}_steps) AS DECIMAL(38, 0)) AS {{ m.column }}_steps_sum{% endfor %}{% for m in q.metrics %},
  SUM(CAST({{ m.column }}_steps AS DECIMAL(38, 0)) * CAST({{ m.column }}_steps AS DECIMAL(38, 0))) AS {{ m.column }}_squares{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS {{ m.column }}_wins{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS {{ m.column }}_losses{% endfor %}
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_base AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_steps AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_scale AS {{ m.column }}_scale{% endfor %}
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    CAST(CASE WHEN model = base_model THEN {{ m.column }}_base END AS BIGINT) AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_scale{% endfor %}
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
      MIN({{ m.column }}) AS {{ m.column }}_base{% endfor %}
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
    FROM {{ recall_duckdb.read(q, 'pairs') }}
    GROUP BY
      model
  ) AS models_compared
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
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro athena__relation_sums(q) -%}
  {{- return(recall_duckdb.trino__relation_sums(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}) AS {{ m.column }}_count{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}_steps) AS {{ m.column }}_pairs{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE WHEN NOT {{ m.column }}_steps IS NULL THEN {{ m.column }} / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_sum{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE WHEN NOT {{ m.column }}_steps IS NULL THEN {{ m.column }}_base / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_base_sum{% endfor %}{% for m in q.metrics %},
  MAX({{ m.column }}_scale) AS {{ m.column }}_scaled_by{% endfor %}{% for m in q.metrics %},
  CAST(SUM({{ m.column }}_steps) AS BIGNUMERIC) AS {{ m.column }}_steps_sum{% endfor %}{% for m in q.metrics %},
  SUM(CAST({{ m.column }}_steps AS BIGNUMERIC) * CAST({{ m.column }}_steps AS BIGNUMERIC)) AS {{ m.column }}_squares{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS {{ m.column }}_wins{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS {{ m.column }}_losses{% endfor %}
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_base AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_steps AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_scale AS {{ m.column }}_scale{% endfor %}
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    CAST(CASE WHEN model = base_model THEN {{ m.column }}_base END AS INT64) AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_scale{% endfor %}
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
      MIN({{ m.column }}) AS {{ m.column }}_base{% endfor %}
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
    FROM {{ recall_duckdb.read(q, 'pairs') }}
    GROUP BY
      model
  ) AS models_compared
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
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro clickhouse__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}) AS {{ m.column }}_count{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}_steps) AS {{ m.column }}_pairs{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(COALESCE(
      CASE WHEN NOT (
        {{ m.column }}_steps IS NULL
      ) THEN {{ m.column }} / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_sum{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(COALESCE(
      CASE WHEN NOT (
        {{ m.column }}_steps IS NULL
      ) THEN {{ m.column }}_base / {{ m.column }}_scale END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_base_sum{% endfor %}{% for m in q.metrics %},
  MAX({{ m.column }}_scale) AS {{ m.column }}_scaled_by{% endfor %}{% for m in q.metrics %},
  CAST(SUM({{ m.column }}_steps) AS Nullable(Decimal(38, 0))) AS {{ m.column }}_steps_sum{% endfor %}{% for m in q.metrics %},
  SUM(
    CAST({{ m.column }}_steps AS Nullable(Decimal(38, 0))) * CAST({{ m.column }}_steps AS Nullable(Decimal(38, 0)))
  ) AS {{ m.column }}_squares{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS {{ m.column }}_wins{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS {{ m.column }}_losses{% endfor %}
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_base AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_steps AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_scale AS {{ m.column }}_scale{% endfor %}
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    CAST(CASE WHEN model = base_model THEN {{ m.column }}_base END AS Nullable(Int64)) AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_scale{% endfor %}
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
      MIN({{ m.column }}) AS {{ m.column }}_base{% endfor %}
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
    FROM {{ recall_duckdb.read(q, 'pairs') }}
    GROUP BY
      model
  ) AS models_compared
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
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro postgres__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}) AS {{ m.column }}_count{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}_steps) AS {{ m.column }}_pairs{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CAST(CASE
      WHEN NOT {{ m.column }}_steps IS NULL
      THEN CAST({{ m.column }} AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_sum{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CAST(CASE
      WHEN NOT {{ m.column }}_steps IS NULL
      THEN CAST({{ m.column }}_base AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_base_sum{% endfor %}{% for m in q.metrics %},
  MAX({{ m.column }}_scale) AS {{ m.column }}_scaled_by{% endfor %}{% for m in q.metrics %},
  CAST(CAST(SUM({{ m.column }}_steps) AS TEXT) AS DECIMAL(38, 0)) AS {{ m.column }}_steps_sum{% endfor %}{% for m in q.metrics %},
  SUM(
    CAST(CAST({{ m.column }}_steps AS TEXT) AS DECIMAL(38, 0)) * CAST(CAST({{ m.column }}_steps AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ m.column }}_squares{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS {{ m.column }}_wins{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS {{ m.column }}_losses{% endfor %}
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_base AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_steps AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_scale AS {{ m.column }}_scale{% endfor %}
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    CAST(CASE WHEN model = base_model THEN {{ m.column }}_base END AS BIGINT) AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_scale{% endfor %}
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
      MIN({{ m.column }}) AS {{ m.column }}_base{% endfor %}
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
    FROM {{ recall_duckdb.read(q, 'pairs') }}
    GROUP BY
      model
  ) AS models_compared
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
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}

{% macro redshift__relation_sums(q) -%}
/* What every test of paired values needs: exact sums of the values, the differences and their squares, and counts. */
SELECT
  model AS model,
  is_slice AS is_slice{% for slice in q.slices %},
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END AS level_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}) AS {{ m.column }}_count{% endfor %}{% for m in q.metrics %},
  COUNT({{ m.column }}_steps) AS {{ m.column }}_pairs{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE
      WHEN NOT {{ m.column }}_steps IS NULL
      THEN CAST({{ m.column }} AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_sum{% endfor %}{% for m in q.metrics %},
  CAST(SUM(
    CAST(CASE
      WHEN NOT {{ m.column }}_steps IS NULL
      THEN CAST({{ m.column }}_base AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_base_sum{% endfor %}{% for m in q.metrics %},
  MAX({{ m.column }}_scale) AS {{ m.column }}_scaled_by{% endfor %}{% for m in q.metrics %},
  CAST(SUM({{ m.column }}_steps) AS DECIMAL(38, 0)) AS {{ m.column }}_steps_sum{% endfor %}{% for m in q.metrics %},
  SUM(CAST({{ m.column }}_steps AS DECIMAL(38, 0)) * CAST({{ m.column }}_steps AS DECIMAL(38, 0))) AS {{ m.column }}_squares{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps > CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      THEN 1
    END
  ) AS {{ m.column }}_wins{% endfor %}{% for m in q.metrics %},
  COUNT(
    CASE
      WHEN {{ m.column }}_steps < -(
        CAST('{{ q.tie_within }}' AS {{ recall_duckdb.type_double() }}) / {{ m.column }}_scale * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
      )
      THEN 1
    END
  ) AS {{ m.column }}_losses{% endfor %}
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_base AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_steps AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    {{ m.column }}_scale AS {{ m.column }}_scale{% endfor %}
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    model AS model{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_base{% endfor %}{% for m in q.metrics %},
    CAST(CASE WHEN model = base_model THEN {{ m.column }}_base END AS BIGINT) AS {{ m.column }}_steps{% endfor %}{% for m in q.metrics %},
    CASE WHEN model = base_model THEN {{ m.column }}_base END AS {{ m.column }}_scale{% endfor %}
  FROM (
    SELECT
      model AS base_model{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for m in q.metrics %},
      MIN({{ m.column }}) AS {{ m.column }}_base{% endfor %}
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
    FROM {{ recall_duckdb.read(q, 'pairs') }}
    GROUP BY
      model
  ) AS models_compared
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
  CASE WHEN is_slice = 1 THEN {{ slice.column }} END{% endfor %}
{%- endmacro %}
