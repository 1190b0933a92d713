{# Written from sql/4_metrics/err.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_err(q, m) %}
  {{- return(adapter.dispatch('metric_err', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN (
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN CAST(satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) AS {{ recall_duckdb.type_double() }}) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN CAST((
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__metric_err(q, m) -%}
  {{- return(recall_duckdb.trino__metric_err(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN (
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(COALESCE(
      satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(COALESCE(
            LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
            CAST(0 AS {{ recall_duckdb.type_double() }})
          ) AS Nullable(Decimal(38, 0)))
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN (
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) / POWER(
          CAST(2 AS {{ recall_duckdb.type_double() }}),
          CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})
        )
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro spark__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN (
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CAST(satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN CAST(satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(CAST(LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) AS {{ recall_duckdb.type_double() }}) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN CAST((
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) AS {{ recall_duckdb.type_double() }}) / POWER(
          CAST(2 AS {{ recall_duckdb.type_double() }}),
          CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})
        )
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__metric_err(q, m) -%}
/* The expected reciprocal rank of the first item that satisfies the reader, where an item of relevance g does so with probability (2^g - 1) / 2^max_grade. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(satisfied_here * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    CASE
      WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }}
      THEN CAST(satisfies / CAST(rank AS {{ recall_duckdb.type_double() }}) * EXP(
        CAST(SUM(
          CAST(LN(1 - satisfies) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
        ) OVER (
          PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
      ) AS {{ recall_duckdb.type_double() }}) / (
        1 - satisfies
      )
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      rank AS rank,
      CASE
        WHEN relevance > 0
        AND relevance <= CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
        THEN CAST((
          POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
        ) AS {{ recall_duckdb.type_double() }}) / POWER(
          CAST(2 AS {{ recall_duckdb.type_double() }}),
          CAST(CAST('{{ m.max_grade }}' AS {{ recall_duckdb.type_double() }}) AS {{ recall_duckdb.type_double() }})
        )
        ELSE 0
      END AS satisfies
    FROM {{ recall_duckdb.read(q, 'judged') }}
  ) AS readers
) AS discounted
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro err_at_k(
  run, qrels=none, k=10, max_grade=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('err', k, {'max_grade': max_grade, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test err_at_k_at_least(
  model, at_least, qrels=none, k=10, max_grade=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('err', k, {'max_grade': max_grade, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('err', k, {'max_grade': max_grade, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
