{# Written from sql/6_comparison/paired_means.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_paired_means(q) %}
  {{- return(adapter.dispatch('relation_paired_means', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_paired_means(q) -%}
/* The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %. */
SELECT
  model AS model{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  queries AS queries,
  base_sum / NULLIF(pairs, 0) * scale AS baseline,
  own_sum / NULLIF(pairs, 0) * scale AS value,
  delta AS delta,
  sd AS sd,
  delta - half_width AS low,
  delta + half_width AS high,
  wins AS wins,
  queries - wins - losses AS ties,
  losses AS losses,
  delta / NULLIF(sd / SQRT(pairs), 0) AS t
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
    metric AS metric,
    queries AS queries,
    pairs AS pairs,
    own_sum AS own_sum,
    base_sum AS base_sum,
    scale AS scale,
    delta AS delta,
    sd AS sd,
    CASE df
      WHEN 0
      THEN CAST(NULL AS {{ recall_duckdb.type_double() }})
      WHEN 1
      THEN CAST('12.706204736174694' AS {{ recall_duckdb.type_double() }})
      WHEN 2
      THEN CAST('4.302652729749462' AS {{ recall_duckdb.type_double() }})
      WHEN 3
      THEN CAST('3.1824463052837078' AS {{ recall_duckdb.type_double() }})
      WHEN 4
      THEN CAST('2.7764451051977934' AS {{ recall_duckdb.type_double() }})
      WHEN 5
      THEN CAST('2.5705818356363146' AS {{ recall_duckdb.type_double() }})
      WHEN 6
      THEN CAST('2.4469118511449786' AS {{ recall_duckdb.type_double() }})
      WHEN 7
      THEN CAST('2.364624251592784' AS {{ recall_duckdb.type_double() }})
      WHEN 8
      THEN CAST('2.306004135204166' AS {{ recall_duckdb.type_double() }})
      WHEN 9
      THEN CAST('2.262157162798205' AS {{ recall_duckdb.type_double() }})
      WHEN 10
      THEN CAST('2.228138851986274' AS {{ recall_duckdb.type_double() }})
      WHEN 11
      THEN CAST('2.200985160091639' AS {{ recall_duckdb.type_double() }})
      WHEN 12
      THEN CAST('2.1788128296672284' AS {{ recall_duckdb.type_double() }})
      WHEN 13
      THEN CAST('2.1603686564627913' AS {{ recall_duckdb.type_double() }})
      WHEN 14
      THEN CAST('2.144786687917804' AS {{ recall_duckdb.type_double() }})
      WHEN 15
      THEN CAST('2.131449545559776' AS {{ recall_duckdb.type_double() }})
      WHEN 16
      THEN CAST('2.1199052992212546' AS {{ recall_duckdb.type_double() }})
      WHEN 17
      THEN CAST('2.1098155778333156' AS {{ recall_duckdb.type_double() }})
      WHEN 18
      THEN CAST('2.1009220402410382' AS {{ recall_duckdb.type_double() }})
      WHEN 19
      THEN CAST('2.0930240544083087' AS {{ recall_duckdb.type_double() }})
      WHEN 20
      THEN CAST('2.085963447265864' AS {{ recall_duckdb.type_double() }})
      ELSE CAST('1.959963984540054' AS {{ recall_duckdb.type_double() }}) + CAST('2.372271230298562' AS {{ recall_duckdb.type_double() }}) / df + CAST('2.8224986157396112' AS {{ recall_duckdb.type_double() }}) / df / df + CAST('2.555849679507722' AS {{ recall_duckdb.type_double() }}) / df / df / df + CAST('1.5895340533938225' AS {{ recall_duckdb.type_double() }}) / df / df / df / df
    END * sd / SQRT(pairs) AS half_width,
    wins AS wins,
    losses AS losses
  FROM (
    SELECT
      model AS model{% for slice in q.slices %},
      level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
      metric AS metric,
      queries AS queries,
      pairs AS pairs,
      own_sum AS own_sum,
      base_sum AS base_sum,
      scale AS scale,
      pairs - 1 AS df,
      middle * step AS delta,
      CASE
        WHEN pairs > 1
        THEN SQRT(
          CASE WHEN squares_left < 0 THEN CAST(0 AS {{ recall_duckdb.type_double() }}) ELSE squares_left END / (
            pairs - 1
          )
        ) * step
      END AS sd,
      wins AS wins,
      losses AS losses
    FROM (
      SELECT
        model AS model{% for slice in q.slices %},
        level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
        metric AS metric,
        queries AS queries,
        pairs AS pairs,
        own_sum AS own_sum,
        base_sum AS base_sum,
        scale AS scale,
        step AS step,
        middle AS middle,
        CAST(squares - center * (
          2 * steps_sum - CAST(queries AS DECIMAL(38, 0)) * center
        ) AS {{ recall_duckdb.type_double() }}) - POWER(CAST(steps_sum - CAST(queries AS DECIMAL(38, 0)) * center AS {{ recall_duckdb.type_double() }}), 2) / NULLIF(pairs, 0) AS squares_left,
        wins AS wins,
        losses AS losses
      FROM (
        SELECT
          model AS model{% for slice in q.slices %},
          level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
          metric AS metric,
          queries AS queries,
          pairs AS pairs,
          own_sum AS own_sum,
          base_sum AS base_sum,
          scale AS scale,
          step AS step,
          steps_sum AS steps_sum,
          middle AS middle,
          CAST(ROUND(middle) AS DECIMAL(38, 0)) AS center,
          squares AS squares,
          wins AS wins,
          losses AS losses
        FROM (
          SELECT
            model AS model{% for slice in q.slices %},
            level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
            metric AS metric,
            queries AS queries,
            CAST(queries AS {{ recall_duckdb.type_double() }}) AS pairs,
            own_sum AS own_sum,
            base_sum AS base_sum,
            scaled_by AS scale,
            scaled_by / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }})) AS step,
            steps_sum AS steps_sum,
            CAST(steps_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(queries, 0) AS middle,
            squares AS squares,
            wins AS wins,
            losses AS losses
          FROM {{ recall_duckdb.read(q, 'sums') }}
          INNER JOIN {{ recall_duckdb.read(q, 'metrics') }}
            USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
{%- endmacro %}

{% macro trino__relation_paired_means(q) -%}
/* The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %. */
SELECT
  model AS model{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  queries AS queries,
  CAST(base_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) * scale AS baseline,
  CAST(own_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) * scale AS value,
  delta AS delta,
  sd AS sd,
  delta - half_width AS low,
  delta + half_width AS high,
  wins AS wins,
  queries - wins - losses AS ties,
  losses AS losses,
  CAST(delta AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(sd AS {{ recall_duckdb.type_double() }}) / SQRT(pairs), 0) AS t
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
    metric AS metric,
    queries AS queries,
    pairs AS pairs,
    own_sum AS own_sum,
    base_sum AS base_sum,
    scale AS scale,
    delta AS delta,
    sd AS sd,
    CAST(CASE df
      WHEN 0
      THEN CAST(NULL AS {{ recall_duckdb.type_double() }})
      WHEN 1
      THEN CAST('12.706204736174694' AS {{ recall_duckdb.type_double() }})
      WHEN 2
      THEN CAST('4.302652729749462' AS {{ recall_duckdb.type_double() }})
      WHEN 3
      THEN CAST('3.1824463052837078' AS {{ recall_duckdb.type_double() }})
      WHEN 4
      THEN CAST('2.7764451051977934' AS {{ recall_duckdb.type_double() }})
      WHEN 5
      THEN CAST('2.5705818356363146' AS {{ recall_duckdb.type_double() }})
      WHEN 6
      THEN CAST('2.4469118511449786' AS {{ recall_duckdb.type_double() }})
      WHEN 7
      THEN CAST('2.364624251592784' AS {{ recall_duckdb.type_double() }})
      WHEN 8
      THEN CAST('2.306004135204166' AS {{ recall_duckdb.type_double() }})
      WHEN 9
      THEN CAST('2.262157162798205' AS {{ recall_duckdb.type_double() }})
      WHEN 10
      THEN CAST('2.228138851986274' AS {{ recall_duckdb.type_double() }})
      WHEN 11
      THEN CAST('2.200985160091639' AS {{ recall_duckdb.type_double() }})
      WHEN 12
      THEN CAST('2.1788128296672284' AS {{ recall_duckdb.type_double() }})
      WHEN 13
      THEN CAST('2.1603686564627913' AS {{ recall_duckdb.type_double() }})
      WHEN 14
      THEN CAST('2.144786687917804' AS {{ recall_duckdb.type_double() }})
      WHEN 15
      THEN CAST('2.131449545559776' AS {{ recall_duckdb.type_double() }})
      WHEN 16
      THEN CAST('2.1199052992212546' AS {{ recall_duckdb.type_double() }})
      WHEN 17
      THEN CAST('2.1098155778333156' AS {{ recall_duckdb.type_double() }})
      WHEN 18
      THEN CAST('2.1009220402410382' AS {{ recall_duckdb.type_double() }})
      WHEN 19
      THEN CAST('2.0930240544083087' AS {{ recall_duckdb.type_double() }})
      WHEN 20
      THEN CAST('2.085963447265864' AS {{ recall_duckdb.type_double() }})
      ELSE CAST('1.959963984540054' AS {{ recall_duckdb.type_double() }}) + CAST('2.372271230298562' AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST('2.8224986157396112' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST(CAST('2.555849679507722' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST(CAST(CAST('1.5895340533938225' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df
    END * sd AS {{ recall_duckdb.type_double() }}) / SQRT(pairs) AS half_width,
    wins AS wins,
    losses AS losses
  FROM (
    SELECT
      model AS model{% for slice in q.slices %},
      level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
      metric AS metric,
      queries AS queries,
      pairs AS pairs,
      own_sum AS own_sum,
      base_sum AS base_sum,
      scale AS scale,
      pairs - 1 AS df,
      middle * step AS delta,
      CASE
        WHEN pairs > 1
        THEN SQRT(
          CAST(CASE WHEN squares_left < 0 THEN CAST(0 AS {{ recall_duckdb.type_double() }}) ELSE squares_left END AS {{ recall_duckdb.type_double() }}) / (
            pairs - 1
          )
        ) * step
      END AS sd,
      wins AS wins,
      losses AS losses
    FROM (
      SELECT
        model AS model{% for slice in q.slices %},
        level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
        metric AS metric,
        queries AS queries,
        pairs AS pairs,
        own_sum AS own_sum,
        base_sum AS base_sum,
        scale AS scale,
        step AS step,
        middle AS middle,
        CAST(squares - center * (
          2 * steps_sum - CAST(queries AS DECIMAL(38, 0)) * center
        ) AS {{ recall_duckdb.type_double() }}) - CAST(POWER(CAST(steps_sum - CAST(queries AS DECIMAL(38, 0)) * center AS {{ recall_duckdb.type_double() }}), 2) AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) AS squares_left,
        wins AS wins,
        losses AS losses
      FROM (
        SELECT
          model AS model{% for slice in q.slices %},
          level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
          metric AS metric,
          queries AS queries,
          pairs AS pairs,
          own_sum AS own_sum,
          base_sum AS base_sum,
          scale AS scale,
          step AS step,
          steps_sum AS steps_sum,
          middle AS middle,
          CAST(ROUND(middle) AS DECIMAL(38, 0)) AS center,
          squares AS squares,
          wins AS wins,
          losses AS losses
        FROM (
          SELECT
            model AS model{% for slice in q.slices %},
            level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
            metric AS metric,
            queries AS queries,
            CAST(queries AS {{ recall_duckdb.type_double() }}) AS pairs,
            own_sum AS own_sum,
            base_sum AS base_sum,
            scaled_by AS scale,
            CAST(scaled_by AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }})) AS step,
            steps_sum AS steps_sum,
            CAST(steps_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(queries, 0) AS middle,
            squares AS squares,
            wins AS wins,
            losses AS losses
          FROM {{ recall_duckdb.read(q, 'sums') }}
          INNER JOIN {{ recall_duckdb.read(q, 'metrics') }}
            USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
{%- endmacro %}

{% macro athena__relation_paired_means(q) -%}
  {{- return(recall_duckdb.trino__relation_paired_means(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_paired_means(q) -%}
/* The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %. */
SELECT
  model AS model{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  queries AS queries,
  base_sum / NULLIF(pairs, 0) * scale AS baseline,
  own_sum / NULLIF(pairs, 0) * scale AS value,
  delta AS delta,
  sd AS sd,
  delta - half_width AS low,
  delta + half_width AS high,
  wins AS wins,
  queries - wins - losses AS ties,
  losses AS losses,
  delta / NULLIF(sd / SQRT(pairs), 0) AS t
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
    metric AS metric,
    queries AS queries,
    pairs AS pairs,
    own_sum AS own_sum,
    base_sum AS base_sum,
    scale AS scale,
    delta AS delta,
    sd AS sd,
    CASE df
      WHEN 0
      THEN CAST(NULL AS {{ recall_duckdb.type_double() }})
      WHEN 1
      THEN CAST('12.706204736174694' AS {{ recall_duckdb.type_double() }})
      WHEN 2
      THEN CAST('4.302652729749462' AS {{ recall_duckdb.type_double() }})
      WHEN 3
      THEN CAST('3.1824463052837078' AS {{ recall_duckdb.type_double() }})
      WHEN 4
      THEN CAST('2.7764451051977934' AS {{ recall_duckdb.type_double() }})
      WHEN 5
      THEN CAST('2.5705818356363146' AS {{ recall_duckdb.type_double() }})
      WHEN 6
      THEN CAST('2.4469118511449786' AS {{ recall_duckdb.type_double() }})
      WHEN 7
      THEN CAST('2.364624251592784' AS {{ recall_duckdb.type_double() }})
      WHEN 8
      THEN CAST('2.306004135204166' AS {{ recall_duckdb.type_double() }})
      WHEN 9
      THEN CAST('2.262157162798205' AS {{ recall_duckdb.type_double() }})
      WHEN 10
      THEN CAST('2.228138851986274' AS {{ recall_duckdb.type_double() }})
      WHEN 11
      THEN CAST('2.200985160091639' AS {{ recall_duckdb.type_double() }})
      WHEN 12
      THEN CAST('2.1788128296672284' AS {{ recall_duckdb.type_double() }})
      WHEN 13
      THEN CAST('2.1603686564627913' AS {{ recall_duckdb.type_double() }})
      WHEN 14
      THEN CAST('2.144786687917804' AS {{ recall_duckdb.type_double() }})
      WHEN 15
      THEN CAST('2.131449545559776' AS {{ recall_duckdb.type_double() }})
      WHEN 16
      THEN CAST('2.1199052992212546' AS {{ recall_duckdb.type_double() }})
      WHEN 17
      THEN CAST('2.1098155778333156' AS {{ recall_duckdb.type_double() }})
      WHEN 18
      THEN CAST('2.1009220402410382' AS {{ recall_duckdb.type_double() }})
      WHEN 19
      THEN CAST('2.0930240544083087' AS {{ recall_duckdb.type_double() }})
      WHEN 20
      THEN CAST('2.085963447265864' AS {{ recall_duckdb.type_double() }})
      ELSE CAST('1.959963984540054' AS {{ recall_duckdb.type_double() }}) + CAST('2.372271230298562' AS {{ recall_duckdb.type_double() }}) / df + CAST('2.8224986157396112' AS {{ recall_duckdb.type_double() }}) / df / df + CAST('2.555849679507722' AS {{ recall_duckdb.type_double() }}) / df / df / df + CAST('1.5895340533938225' AS {{ recall_duckdb.type_double() }}) / df / df / df / df
    END * sd / SQRT(pairs) AS half_width,
    wins AS wins,
    losses AS losses
  FROM (
    SELECT
      model AS model{% for slice in q.slices %},
      level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
      metric AS metric,
      queries AS queries,
      pairs AS pairs,
      own_sum AS own_sum,
      base_sum AS base_sum,
      scale AS scale,
      pairs - 1 AS df,
      middle * step AS delta,
      CASE
        WHEN pairs > 1
        THEN SQRT(
          CASE WHEN squares_left < 0 THEN CAST(0 AS {{ recall_duckdb.type_double() }}) ELSE squares_left END / (
            pairs - 1
          )
        ) * step
      END AS sd,
      wins AS wins,
      losses AS losses
    FROM (
      SELECT
        model AS model{% for slice in q.slices %},
        level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
        metric AS metric,
        queries AS queries,
        pairs AS pairs,
        own_sum AS own_sum,
        base_sum AS base_sum,
        scale AS scale,
        step AS step,
        middle AS middle,
        CAST(squares - center * (
          2 * steps_sum - CAST(queries AS BIGNUMERIC) * center
        ) AS {{ recall_duckdb.type_double() }}) - POWER(CAST(steps_sum - CAST(queries AS BIGNUMERIC) * center AS {{ recall_duckdb.type_double() }}), 2) / NULLIF(pairs, 0) AS squares_left,
        wins AS wins,
        losses AS losses
      FROM (
        SELECT
          model AS model{% for slice in q.slices %},
          level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
          metric AS metric,
          queries AS queries,
          pairs AS pairs,
          own_sum AS own_sum,
          base_sum AS base_sum,
          scale AS scale,
          step AS step,
          steps_sum AS steps_sum,
          middle AS middle,
          CAST(ROUND(middle) AS BIGNUMERIC) AS center,
          squares AS squares,
          wins AS wins,
          losses AS losses
        FROM (
          SELECT
            model AS model{% for slice in q.slices %},
            level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
            metric AS metric,
            queries AS queries,
            CAST(queries AS {{ recall_duckdb.type_double() }}) AS pairs,
            own_sum AS own_sum,
            base_sum AS base_sum,
            scaled_by AS scale,
            scaled_by / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }})) AS step,
            steps_sum AS steps_sum,
            CAST(steps_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(queries, 0) AS middle,
            squares AS squares,
            wins AS wins,
            losses AS losses
          FROM {{ recall_duckdb.read(q, 'sums') }}
          INNER JOIN {{ recall_duckdb.read(q, 'metrics') }}
            USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
{%- endmacro %}

{% macro clickhouse__relation_paired_means(q) -%}
/* The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %. */
SELECT
  model AS model{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  queries AS queries,
  base_sum / nullIf(pairs, 0) * scale AS baseline,
  own_sum / nullIf(pairs, 0) * scale AS value,
  delta AS delta,
  sd AS sd,
  delta - half_width AS low,
  delta + half_width AS high,
  wins AS wins,
  queries - wins - losses AS ties,
  losses AS losses,
  delta / nullIf(sd / SQRT(pairs), 0) AS t
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
    metric AS metric,
    queries AS queries,
    pairs AS pairs,
    own_sum AS own_sum,
    base_sum AS base_sum,
    scale AS scale,
    delta AS delta,
    sd AS sd,
    CASE df
      WHEN 0
      THEN CAST(NULL AS {{ recall_duckdb.type_double() }})
      WHEN 1
      THEN CAST('12.706204736174694' AS {{ recall_duckdb.type_double() }})
      WHEN 2
      THEN CAST('4.302652729749462' AS {{ recall_duckdb.type_double() }})
      WHEN 3
      THEN CAST('3.1824463052837078' AS {{ recall_duckdb.type_double() }})
      WHEN 4
      THEN CAST('2.7764451051977934' AS {{ recall_duckdb.type_double() }})
      WHEN 5
      THEN CAST('2.5705818356363146' AS {{ recall_duckdb.type_double() }})
      WHEN 6
      THEN CAST('2.4469118511449786' AS {{ recall_duckdb.type_double() }})
      WHEN 7
      THEN CAST('2.364624251592784' AS {{ recall_duckdb.type_double() }})
      WHEN 8
      THEN CAST('2.306004135204166' AS {{ recall_duckdb.type_double() }})
      WHEN 9
      THEN CAST('2.262157162798205' AS {{ recall_duckdb.type_double() }})
      WHEN 10
      THEN CAST('2.228138851986274' AS {{ recall_duckdb.type_double() }})
      WHEN 11
      THEN CAST('2.200985160091639' AS {{ recall_duckdb.type_double() }})
      WHEN 12
      THEN CAST('2.1788128296672284' AS {{ recall_duckdb.type_double() }})
      WHEN 13
      THEN CAST('2.1603686564627913' AS {{ recall_duckdb.type_double() }})
      WHEN 14
      THEN CAST('2.144786687917804' AS {{ recall_duckdb.type_double() }})
      WHEN 15
      THEN CAST('2.131449545559776' AS {{ recall_duckdb.type_double() }})
      WHEN 16
      THEN CAST('2.1199052992212546' AS {{ recall_duckdb.type_double() }})
      WHEN 17
      THEN CAST('2.1098155778333156' AS {{ recall_duckdb.type_double() }})
      WHEN 18
      THEN CAST('2.1009220402410382' AS {{ recall_duckdb.type_double() }})
      WHEN 19
      THEN CAST('2.0930240544083087' AS {{ recall_duckdb.type_double() }})
      WHEN 20
      THEN CAST('2.085963447265864' AS {{ recall_duckdb.type_double() }})
      ELSE CAST('1.959963984540054' AS {{ recall_duckdb.type_double() }}) + CAST('2.372271230298562' AS {{ recall_duckdb.type_double() }}) / df + CAST('2.8224986157396112' AS {{ recall_duckdb.type_double() }}) / df / df + CAST('2.555849679507722' AS {{ recall_duckdb.type_double() }}) / df / df / df + CAST('1.5895340533938225' AS {{ recall_duckdb.type_double() }}) / df / df / df / df
    END * sd / SQRT(pairs) AS half_width,
    wins AS wins,
    losses AS losses
  FROM (
    SELECT
      model AS model{% for slice in q.slices %},
      level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
      metric AS metric,
      queries AS queries,
      pairs AS pairs,
      own_sum AS own_sum,
      base_sum AS base_sum,
      scale AS scale,
      pairs - 1 AS df,
      middle * step AS delta,
      CASE
        WHEN pairs > 1
        THEN SQRT(
          CASE WHEN squares_left < 0 THEN CAST(0 AS {{ recall_duckdb.type_double() }}) ELSE squares_left END / (
            pairs - 1
          )
        ) * step
      END AS sd,
      wins AS wins,
      losses AS losses
    FROM (
      SELECT
        model AS model{% for slice in q.slices %},
        level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
        metric AS metric,
        queries AS queries,
        pairs AS pairs,
        own_sum AS own_sum,
        base_sum AS base_sum,
        scale AS scale,
        step AS step,
        middle AS middle,
        CAST(squares - center * (
          2 * steps_sum - CAST(queries AS Nullable(Decimal(38, 0))) * center
        ) AS {{ recall_duckdb.type_double() }}) - POWER(
          CAST(steps_sum - CAST(queries AS Nullable(Decimal(38, 0))) * center AS {{ recall_duckdb.type_double() }}),
          2
        ) / nullIf(pairs, 0) AS squares_left,
        wins AS wins,
        losses AS losses
      FROM (
        SELECT
          model AS model{% for slice in q.slices %},
          level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
          metric AS metric,
          queries AS queries,
          pairs AS pairs,
          own_sum AS own_sum,
          base_sum AS base_sum,
          scale AS scale,
          step AS step,
          steps_sum AS steps_sum,
          middle AS middle,
          CAST(ROUND(middle) AS Nullable(Decimal(38, 0))) AS center,
          squares AS squares,
          wins AS wins,
          losses AS losses
        FROM (
          SELECT
            model AS model{% for slice in q.slices %},
            level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
            metric AS metric,
            queries AS queries,
            CAST(queries AS {{ recall_duckdb.type_double() }}) AS pairs,
            own_sum AS own_sum,
            base_sum AS base_sum,
            scaled_by AS scale,
            scaled_by / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }})) AS step,
            steps_sum AS steps_sum,
            CAST(steps_sum AS {{ recall_duckdb.type_double() }}) / nullIf(queries, 0) AS middle,
            squares AS squares,
            wins AS wins,
            losses AS losses
          FROM {{ recall_duckdb.read(q, 'sums') }}
          INNER JOIN {{ recall_duckdb.read(q, 'metrics') }}
            USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
{%- endmacro %}

{% macro postgres__relation_paired_means(q) -%}
/* The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %. */
SELECT
  model AS model{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  queries AS queries,
  CAST(base_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) * scale AS baseline,
  CAST(own_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) * scale AS value,
  delta AS delta,
  sd AS sd,
  delta - half_width AS low,
  delta + half_width AS high,
  wins AS wins,
  queries - wins - losses AS ties,
  losses AS losses,
  CAST(delta AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(sd AS {{ recall_duckdb.type_double() }}) / SQRT(pairs), 0) AS t
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
    metric AS metric,
    queries AS queries,
    pairs AS pairs,
    own_sum AS own_sum,
    base_sum AS base_sum,
    scale AS scale,
    delta AS delta,
    sd AS sd,
    CAST(CASE df
      WHEN 0
      THEN CAST(NULL AS {{ recall_duckdb.type_double() }})
      WHEN 1
      THEN CAST('12.706204736174694' AS {{ recall_duckdb.type_double() }})
      WHEN 2
      THEN CAST('4.302652729749462' AS {{ recall_duckdb.type_double() }})
      WHEN 3
      THEN CAST('3.1824463052837078' AS {{ recall_duckdb.type_double() }})
      WHEN 4
      THEN CAST('2.7764451051977934' AS {{ recall_duckdb.type_double() }})
      WHEN 5
      THEN CAST('2.5705818356363146' AS {{ recall_duckdb.type_double() }})
      WHEN 6
      THEN CAST('2.4469118511449786' AS {{ recall_duckdb.type_double() }})
      WHEN 7
      THEN CAST('2.364624251592784' AS {{ recall_duckdb.type_double() }})
      WHEN 8
      THEN CAST('2.306004135204166' AS {{ recall_duckdb.type_double() }})
      WHEN 9
      THEN CAST('2.262157162798205' AS {{ recall_duckdb.type_double() }})
      WHEN 10
      THEN CAST('2.228138851986274' AS {{ recall_duckdb.type_double() }})
      WHEN 11
      THEN CAST('2.200985160091639' AS {{ recall_duckdb.type_double() }})
      WHEN 12
      THEN CAST('2.1788128296672284' AS {{ recall_duckdb.type_double() }})
      WHEN 13
      THEN CAST('2.1603686564627913' AS {{ recall_duckdb.type_double() }})
      WHEN 14
      THEN CAST('2.144786687917804' AS {{ recall_duckdb.type_double() }})
      WHEN 15
      THEN CAST('2.131449545559776' AS {{ recall_duckdb.type_double() }})
      WHEN 16
      THEN CAST('2.1199052992212546' AS {{ recall_duckdb.type_double() }})
      WHEN 17
      THEN CAST('2.1098155778333156' AS {{ recall_duckdb.type_double() }})
      WHEN 18
      THEN CAST('2.1009220402410382' AS {{ recall_duckdb.type_double() }})
      WHEN 19
      THEN CAST('2.0930240544083087' AS {{ recall_duckdb.type_double() }})
      WHEN 20
      THEN CAST('2.085963447265864' AS {{ recall_duckdb.type_double() }})
      ELSE CAST('1.959963984540054' AS {{ recall_duckdb.type_double() }}) + CAST('2.372271230298562' AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST('2.8224986157396112' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST(CAST('2.555849679507722' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST(CAST(CAST('1.5895340533938225' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df
    END * sd AS {{ recall_duckdb.type_double() }}) / SQRT(pairs) AS half_width,
    wins AS wins,
    losses AS losses
  FROM (
    SELECT
      model AS model{% for slice in q.slices %},
      level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
      metric AS metric,
      queries AS queries,
      pairs AS pairs,
      own_sum AS own_sum,
      base_sum AS base_sum,
      scale AS scale,
      pairs - 1 AS df,
      middle * step AS delta,
      CASE
        WHEN pairs > 1
        THEN SQRT(
          CAST(CASE WHEN squares_left < 0 THEN CAST(0 AS {{ recall_duckdb.type_double() }}) ELSE squares_left END AS {{ recall_duckdb.type_double() }}) / (
            pairs - 1
          )
        ) * step
      END AS sd,
      wins AS wins,
      losses AS losses
    FROM (
      SELECT
        model AS model{% for slice in q.slices %},
        level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
        metric AS metric,
        queries AS queries,
        pairs AS pairs,
        own_sum AS own_sum,
        base_sum AS base_sum,
        scale AS scale,
        step AS step,
        middle AS middle,
        CAST(squares - center * (
          2 * steps_sum - CAST(CAST(queries AS TEXT) AS DECIMAL(38, 0)) * center
        ) AS {{ recall_duckdb.type_double() }}) - CAST(POWER(
          CAST(steps_sum - CAST(CAST(queries AS TEXT) AS DECIMAL(38, 0)) * center AS {{ recall_duckdb.type_double() }}),
          2
        ) AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) AS squares_left,
        wins AS wins,
        losses AS losses
      FROM (
        SELECT
          model AS model{% for slice in q.slices %},
          level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
          metric AS metric,
          queries AS queries,
          pairs AS pairs,
          own_sum AS own_sum,
          base_sum AS base_sum,
          scale AS scale,
          step AS step,
          steps_sum AS steps_sum,
          middle AS middle,
          CAST(CAST(ROUND(middle) AS TEXT) AS DECIMAL(38, 0)) AS center,
          squares AS squares,
          wins AS wins,
          losses AS losses
        FROM (
          SELECT
            model AS model{% for slice in q.slices %},
            level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
            metric AS metric,
            queries AS queries,
            CAST(queries AS {{ recall_duckdb.type_double() }}) AS pairs,
            own_sum AS own_sum,
            base_sum AS base_sum,
            scaled_by AS scale,
            CAST(scaled_by AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }})) AS step,
            steps_sum AS steps_sum,
            CAST(steps_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(queries, 0) AS middle,
            squares AS squares,
            wins AS wins,
            losses AS losses
          FROM {{ recall_duckdb.read(q, 'sums') }}
          INNER JOIN {{ recall_duckdb.read(q, 'metrics') }}
            USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
{%- endmacro %}

{% macro redshift__relation_paired_means(q) -%}
/* The comparison of models with the baseline in one statement for any engine, with Student's interval of 95 %. */
SELECT
  model AS model{% for slice in q.slices %},
  level_{{ slice.column }} AS {{ slice.name }}{% endfor %},
  metric AS metric,
  queries AS queries,
  CAST(base_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) * scale AS baseline,
  CAST(own_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) * scale AS value,
  "delta" AS "delta",
  sd AS sd,
  "delta" - half_width AS low,
  "delta" + half_width AS high,
  wins AS wins,
  queries - wins - losses AS ties,
  losses AS losses,
  CAST("delta" AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(sd AS {{ recall_duckdb.type_double() }}) / SQRT(pairs), 0) AS t
FROM (
  SELECT
    model AS model{% for slice in q.slices %},
    level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
    metric AS metric,
    queries AS queries,
    pairs AS pairs,
    own_sum AS own_sum,
    base_sum AS base_sum,
    scale AS scale,
    "delta" AS "delta",
    sd AS sd,
    CAST(CASE df
      WHEN 0
      THEN CAST(NULL AS {{ recall_duckdb.type_double() }})
      WHEN 1
      THEN CAST('12.706204736174694' AS {{ recall_duckdb.type_double() }})
      WHEN 2
      THEN CAST('4.302652729749462' AS {{ recall_duckdb.type_double() }})
      WHEN 3
      THEN CAST('3.1824463052837078' AS {{ recall_duckdb.type_double() }})
      WHEN 4
      THEN CAST('2.7764451051977934' AS {{ recall_duckdb.type_double() }})
      WHEN 5
      THEN CAST('2.5705818356363146' AS {{ recall_duckdb.type_double() }})
      WHEN 6
      THEN CAST('2.4469118511449786' AS {{ recall_duckdb.type_double() }})
      WHEN 7
      THEN CAST('2.364624251592784' AS {{ recall_duckdb.type_double() }})
      WHEN 8
      THEN CAST('2.306004135204166' AS {{ recall_duckdb.type_double() }})
      WHEN 9
      THEN CAST('2.262157162798205' AS {{ recall_duckdb.type_double() }})
      WHEN 10
      THEN CAST('2.228138851986274' AS {{ recall_duckdb.type_double() }})
      WHEN 11
      THEN CAST('2.200985160091639' AS {{ recall_duckdb.type_double() }})
      WHEN 12
      THEN CAST('2.1788128296672284' AS {{ recall_duckdb.type_double() }})
      WHEN 13
      THEN CAST('2.1603686564627913' AS {{ recall_duckdb.type_double() }})
      WHEN 14
      THEN CAST('2.144786687917804' AS {{ recall_duckdb.type_double() }})
      WHEN 15
      THEN CAST('2.131449545559776' AS {{ recall_duckdb.type_double() }})
      WHEN 16
      THEN CAST('2.1199052992212546' AS {{ recall_duckdb.type_double() }})
      WHEN 17
      THEN CAST('2.1098155778333156' AS {{ recall_duckdb.type_double() }})
      WHEN 18
      THEN CAST('2.1009220402410382' AS {{ recall_duckdb.type_double() }})
      WHEN 19
      THEN CAST('2.0930240544083087' AS {{ recall_duckdb.type_double() }})
      WHEN 20
      THEN CAST('2.085963447265864' AS {{ recall_duckdb.type_double() }})
      ELSE CAST('1.959963984540054' AS {{ recall_duckdb.type_double() }}) + CAST('2.372271230298562' AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST('2.8224986157396112' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST(CAST('2.555849679507722' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df + CAST(CAST(CAST(CAST('1.5895340533938225' AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df AS {{ recall_duckdb.type_double() }}) / df
    END * sd AS {{ recall_duckdb.type_double() }}) / SQRT(pairs) AS half_width,
    wins AS wins,
    losses AS losses
  FROM (
    SELECT
      model AS model{% for slice in q.slices %},
      level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
      metric AS metric,
      queries AS queries,
      pairs AS pairs,
      own_sum AS own_sum,
      base_sum AS base_sum,
      scale AS scale,
      pairs - 1 AS df,
      middle * step AS "delta",
      CASE
        WHEN pairs > 1
        THEN SQRT(
          CAST(CASE WHEN squares_left < 0 THEN CAST(0 AS {{ recall_duckdb.type_double() }}) ELSE squares_left END AS {{ recall_duckdb.type_double() }}) / (
            pairs - 1
          )
        ) * step
      END AS sd,
      wins AS wins,
      losses AS losses
    FROM (
      SELECT
        model AS model{% for slice in q.slices %},
        level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
        metric AS metric,
        queries AS queries,
        pairs AS pairs,
        own_sum AS own_sum,
        base_sum AS base_sum,
        scale AS scale,
        step AS step,
        middle AS middle,
        CAST(squares - center * (
          2 * steps_sum - CAST(queries AS DECIMAL(38, 0)) * center
        ) AS {{ recall_duckdb.type_double() }}) - CAST(POWER(CAST(steps_sum - CAST(queries AS DECIMAL(38, 0)) * center AS {{ recall_duckdb.type_double() }}), 2) AS {{ recall_duckdb.type_double() }}) / NULLIF(pairs, 0) AS squares_left,
        wins AS wins,
        losses AS losses
      FROM (
        SELECT
          model AS model{% for slice in q.slices %},
          level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
          metric AS metric,
          queries AS queries,
          pairs AS pairs,
          own_sum AS own_sum,
          base_sum AS base_sum,
          scale AS scale,
          step AS step,
          steps_sum AS steps_sum,
          middle AS middle,
          CAST(ROUND(middle) AS DECIMAL(38, 0)) AS center,
          squares AS squares,
          wins AS wins,
          losses AS losses
        FROM (
          SELECT
            model AS model{% for slice in q.slices %},
            level_{{ slice.column }} AS level_{{ slice.column }}{% endfor %},
            metric AS metric,
            queries AS queries,
            CAST(queries AS {{ recall_duckdb.type_double() }}) AS pairs,
            own_sum AS own_sum,
            base_sum AS base_sum,
            scaled_by AS scale,
            CAST(scaled_by AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }})) AS step,
            steps_sum AS steps_sum,
            CAST(steps_sum AS {{ recall_duckdb.type_double() }}) / NULLIF(queries, 0) AS middle,
            squares AS squares,
            wins AS wins,
            losses AS losses
          FROM {{ recall_duckdb.read(q, 'sums') }}
          INNER JOIN {{ recall_duckdb.read(q, 'metrics') }}
            USING (metric_no)
        ) AS of_metric
      ) AS with_centers
    ) AS with_squares
  ) AS with_sd
) AS with_intervals
{%- endmacro %}
