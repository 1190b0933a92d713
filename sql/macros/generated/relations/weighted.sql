{# Written from sql/5_summary/weighted.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_weighted(q) %}
  {{- return(adapter.dispatch('relation_weighted', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_weighted(q) -%}
/* The weight of every judged query, scaled so that the largest is between 1 and 2. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  weight / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), FLOOR(LN(top_weight) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))) AS query_weight
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    weight AS weight,
    MAX(weight) OVER () AS top_weight
  FROM {{ recall_duckdb.read(q, 'weights') }}
  INNER JOIN (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'judgements') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS judged_queries
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
) AS scaled
WHERE
  top_weight > 0
{%- endmacro %}

{% macro trino__relation_weighted(q) -%}
/* The weight of every judged query, scaled so that the largest is between 1 and 2. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(weight AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), FLOOR(CAST(LN(top_weight) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))) AS query_weight
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    weight AS weight,
    MAX(weight) OVER () AS top_weight
  FROM {{ recall_duckdb.read(q, 'weights') }}
  INNER JOIN (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'judgements') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS judged_queries
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
) AS scaled
WHERE
  top_weight > 0
{%- endmacro %}

{% macro athena__relation_weighted(q) -%}
  {{- return(recall_duckdb.trino__relation_weighted(q)) -}}
{%- endmacro %}

{% macro clickhouse__relation_weighted(q) -%}
/* The weight of every judged query, scaled so that the largest is between 1 and 2. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  weight / POWER(
    CAST(2 AS {{ recall_duckdb.type_double() }}),
    FLOOR(LN(top_weight) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))
  ) AS query_weight
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    weight AS weight,
    MAX(weight) OVER () AS top_weight
  FROM {{ recall_duckdb.read(q, 'weights') }}
  INNER JOIN (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'judgements') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS judged_queries
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
) AS scaled
WHERE
  top_weight > 0
{%- endmacro %}

{% macro postgres__relation_weighted(q) -%}
/* The weight of every judged query, scaled so that the largest is between 1 and 2. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(weight AS {{ recall_duckdb.type_double() }}) / POWER(
    CAST(2 AS {{ recall_duckdb.type_double() }}),
    FLOOR(CAST(LN(top_weight) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))
  ) AS query_weight
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    weight AS weight,
    MAX(weight) OVER () AS top_weight
  FROM {{ recall_duckdb.read(q, 'weights') }}
  INNER JOIN (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'judgements') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS judged_queries
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
) AS scaled
WHERE
  top_weight > 0
{%- endmacro %}
