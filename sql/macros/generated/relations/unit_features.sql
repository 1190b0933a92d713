{# Written from sql/2_ranking/unit_features.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_unit_features(q) %}
  {{- return(adapter.dispatch('relation_unit_features', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_unit_features(q) -%}
/* The features of an item as a vector of length 1. */
SELECT
  item AS item,
  feature AS feature,
  share / SQRT(squares) AS share
FROM (
  SELECT
    item AS item,
    feature AS feature,
    share AS share,
    CAST(SUM(
      CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (PARTITION BY item) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
  FROM (
    SELECT
      item AS item,
      feature AS feature,
      CAST(SUM(
        CAST(weight / top_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS share
    FROM (
      SELECT
        item AS item,
        feature AS feature,
        weight AS weight,
        MAX(ABS(weight)) OVER (PARTITION BY item) AS top_weight
      FROM {{ recall_duckdb.read(q, 'features') }}
    ) AS scaled
    WHERE
      weight <> 0
    GROUP BY
      item,
      feature
  ) AS shares
) AS lengths
WHERE
  squares > 0
{%- endmacro %}

{% macro trino__relation_unit_features(q) -%}
/* The features of an item as a vector of length 1. */
SELECT
  item AS item,
  feature AS feature,
  CAST(share AS {{ recall_duckdb.type_double() }}) / SQRT(squares) AS share
FROM (
  SELECT
    item AS item,
    feature AS feature,
    share AS share,
    CAST(SUM(
      CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) OVER (PARTITION BY item) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
  FROM (
    SELECT
      item AS item,
      feature AS feature,
      CAST(SUM(
        CAST(CAST(weight AS {{ recall_duckdb.type_double() }}) / top_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS share
    FROM (
      SELECT
        item AS item,
        feature AS feature,
        weight AS weight,
        MAX(ABS(weight)) OVER (PARTITION BY item) AS top_weight
      FROM {{ recall_duckdb.read(q, 'features') }}
    ) AS scaled
    WHERE
      weight <> 0
    GROUP BY
      item,
      feature
  ) AS shares
) AS lengths
WHERE
  squares > 0
{%- endmacro %}

{% macro athena__relation_unit_features(q) -%}
  {{- return(recall_duckdb.trino__relation_unit_features(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_unit_features(q) -%}
/* The features of an item as a vector of length 1. */
SELECT
  item AS item,
  feature AS feature,
  share / SQRT(squares) AS share
FROM (
  SELECT
    item AS item,
    feature AS feature,
    share AS share,
    CAST(SUM(
      CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) OVER (PARTITION BY item) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
  FROM (
    SELECT
      item AS item,
      feature AS feature,
      CAST(SUM(
        CAST(weight / top_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS share
    FROM (
      SELECT
        item AS item,
        feature AS feature,
        weight AS weight,
        MAX(ABS(weight)) OVER (PARTITION BY item) AS top_weight
      FROM {{ recall_duckdb.read(q, 'features') }}
    ) AS scaled
    WHERE
      weight <> 0
    GROUP BY
      item,
      feature
  ) AS shares
) AS lengths
WHERE
  squares > 0
{%- endmacro %}

{% macro clickhouse__relation_unit_features(q) -%}
/* The features of an item as a vector of length 1. */
SELECT
  item AS item,
  feature AS feature,
  share / SQRT(squares) AS share
FROM (
  SELECT
    item AS item,
    feature AS feature,
    share AS share,
    CAST(SUM(
      CAST(COALESCE(
        share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) OVER (PARTITION BY item) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
  FROM (
    SELECT
      item AS item,
      feature AS feature,
      CAST(SUM(
        CAST(COALESCE(
          weight / top_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
          CAST(0 AS {{ recall_duckdb.type_double() }})
        ) AS Nullable(Decimal(38, 0)))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS share
    FROM (
      SELECT
        item AS item,
        feature AS feature,
        weight AS weight,
        MAX(ABS(weight)) OVER (PARTITION BY item) AS top_weight
      FROM {{ recall_duckdb.read(q, 'features') }}
    ) AS scaled
    WHERE
      weight <> 0
    GROUP BY
      item,
      feature
  ) AS shares
) AS lengths
WHERE
  squares > 0
{%- endmacro %}

{% macro postgres__relation_unit_features(q) -%}
/* The features of an item as a vector of length 1. */
SELECT
  item AS item,
  feature AS feature,
  CAST(share AS {{ recall_duckdb.type_double() }}) / SQRT(squares) AS share
FROM (
  SELECT
    item AS item,
    feature AS feature,
    share AS share,
    CAST(SUM(
      CAST(CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) OVER (PARTITION BY item) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
  FROM (
    SELECT
      item AS item,
      feature AS feature,
      CAST(SUM(
        CAST(CAST(CAST(weight AS {{ recall_duckdb.type_double() }}) / top_weight * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS share
    FROM (
      SELECT
        item AS item,
        feature AS feature,
        weight AS weight,
        MAX(ABS(weight)) OVER (PARTITION BY item) AS top_weight
      FROM {{ recall_duckdb.read(q, 'features') }}
    ) AS scaled
    WHERE
      weight <> 0
    GROUP BY
      item,
      feature
  ) AS shares
) AS lengths
WHERE
  squares > 0
{%- endmacro %}

{% macro redshift__relation_unit_features(q) -%}
  {{- return(recall_duckdb.trino__relation_unit_features(q)) -}}
{%- endmacro %}
