{# Written from sql/4_metrics/diversity.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_diversity(q, m) %}
  {{- return(adapter.dispatch('metric_diversity', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of items. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CASE
    WHEN items > 1
    THEN 1 - COALESCE(cosines, CAST(0 AS {{ recall_duckdb.type_double() }})) / (
      CAST(items AS {{ recall_duckdb.type_double() }}) * CAST(items - 1 AS {{ recall_duckdb.type_double() }})
    )
  END AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COUNT(*) AS items
  FROM {{ recall_duckdb.read(q, 'shown') }}
  WHERE
    rank BETWEEN 1 AND {{ m.k or 'rank' }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS each_list
LEFT JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CAST(SUM(
      CAST((
        total * total - squares
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS cosines
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature AS feature,
      CAST(SUM(CAST(share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS total,
      CAST(SUM(
        CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
    FROM {{ recall_duckdb.read(q, 'shown') }}
    INNER JOIN {{ recall_duckdb.read(q, 'unit_features') }}
      USING (item)
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      {% if q.models %}model,
      {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature
  ) AS vectors
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS sums
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{% macro trino__metric_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of items. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CASE
    WHEN items > 1
    THEN 1 - CAST(COALESCE(cosines, CAST(0 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / (
      CAST(items AS {{ recall_duckdb.type_double() }}) * CAST(items - 1 AS {{ recall_duckdb.type_double() }})
    )
  END AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COUNT(*) AS items
  FROM {{ recall_duckdb.read(q, 'shown') }}
  WHERE
    rank BETWEEN 1 AND {{ m.k or 'rank' }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS each_list
LEFT JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CAST(SUM(
      CAST((
        total * total - squares
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS cosines
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature AS feature,
      CAST(SUM(CAST(share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS total,
      CAST(SUM(
        CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
    FROM {{ recall_duckdb.read(q, 'shown') }}
    INNER JOIN {{ recall_duckdb.read(q, 'unit_features') }}
      USING (item)
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      {% if q.models %}model,
      {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature
  ) AS vectors
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS sums
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{% macro athena__metric_diversity(q, m) -%}
  {{- return(recall_duckdb.trino__metric_diversity(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of items. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CASE
    WHEN items > 1
    THEN 1 - COALESCE(cosines, CAST(0 AS {{ recall_duckdb.type_double() }})) / (
      CAST(items AS {{ recall_duckdb.type_double() }}) * CAST(items - 1 AS {{ recall_duckdb.type_double() }})
    )
  END AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COUNT(*) AS items
  FROM {{ recall_duckdb.read(q, 'shown') }}
  WHERE
    rank BETWEEN 1 AND {{ m.k or 'rank' }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS each_list
LEFT JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CAST(SUM(
      CAST((
        total * total - squares
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS cosines
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature AS feature,
      CAST(SUM(CAST(share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS total,
      CAST(SUM(
        CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
    FROM {{ recall_duckdb.read(q, 'shown') }}
    INNER JOIN {{ recall_duckdb.read(q, 'unit_features') }}
      USING (item)
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      {% if q.models %}model,
      {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature
  ) AS vectors
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS sums
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{% macro clickhouse__metric_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of items. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CASE
    WHEN items > 1
    THEN 1 - COALESCE(cosines, CAST(0 AS {{ recall_duckdb.type_double() }})) / (
      CAST(items AS {{ recall_duckdb.type_double() }}) * CAST(items - 1 AS {{ recall_duckdb.type_double() }})
    )
  END AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COUNT(*) AS items
  FROM {{ recall_duckdb.read(q, 'shown') }}
  WHERE
    rank BETWEEN 1 AND {{ m.k or 'rank' }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS each_list
LEFT JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CAST(SUM(
      CAST(COALESCE(
        (
          total * total - squares
        ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS cosines
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature AS feature,
      CAST(SUM(
        CAST(COALESCE(
          share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
          CAST(0 AS {{ recall_duckdb.type_double() }})
        ) AS Nullable(Decimal(38, 0)))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS total,
      CAST(SUM(
        CAST(COALESCE(
          share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
          CAST(0 AS {{ recall_duckdb.type_double() }})
        ) AS Nullable(Decimal(38, 0)))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
    FROM {{ recall_duckdb.read(q, 'shown') }}
    INNER JOIN {{ recall_duckdb.read(q, 'unit_features') }}
      USING (item)
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      {% if q.models %}model,
      {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature
  ) AS vectors
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS sums
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{% macro postgres__metric_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of items. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CASE
    WHEN items > 1
    THEN 1 - CAST(COALESCE(cosines, CAST(0 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / (
      CAST(items AS {{ recall_duckdb.type_double() }}) * CAST(items - 1 AS {{ recall_duckdb.type_double() }})
    )
  END AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COUNT(*) AS items
  FROM {{ recall_duckdb.read(q, 'shown') }}
  WHERE
    rank BETWEEN 1 AND {{ m.k or 'rank' }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS each_list
LEFT JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CAST(SUM(
      CAST(CAST((
        total * total - squares
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS cosines
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature AS feature,
      CAST(SUM(
        CAST(CAST(share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS total,
      CAST(SUM(
        CAST(CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
    FROM {{ recall_duckdb.read(q, 'shown') }}
    INNER JOIN {{ recall_duckdb.read(q, 'unit_features') }}
      USING (item)
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      {% if q.models %}model,
      {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature
  ) AS vectors
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS sums
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{% macro redshift__metric_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of items. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CASE
    WHEN items > 1
    THEN 1 - CAST(COALESCE(cosines, CAST(0 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / (
      CAST(items AS {{ recall_duckdb.type_double() }}) * CAST(items - 1 AS {{ recall_duckdb.type_double() }})
    )
  END AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COUNT(*) AS items
  FROM {{ recall_duckdb.read(q, 'shown') }}
  WHERE
    rank BETWEEN 1 AND {{ m.k or 'rank' }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS each_list
LEFT JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CAST(SUM(
      CAST((
        total * total - squares
      ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS cosines
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature AS feature,
      CAST(SUM(
        CAST(share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS total,
      CAST(SUM(
        CAST(share * share * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS squares
    FROM {{ recall_duckdb.read(q, 'shown') }}
    INNER JOIN {{ recall_duckdb.read(q, 'unit_features') }}
      USING (item)
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      {% if q.models %}model,
      {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      feature
  ) AS vectors
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS sums
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{% macro diversity_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('diversity', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test diversity_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('diversity', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('diversity', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
