{# Written from sql/3_judging/ideal.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ideal(q) %}
  {{- return(adapter.dispatch('relation_ideal', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ideal(q) -%}
/* The qrels in their ideal order: what a perfect system would return. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS relevant
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    relevance AS relevance,
    {%- if q.judging.threshold is none %}
    CASE WHEN relevance > 0 THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %} AS is_relevant,
    {%- if q.judging.threshold is none %}
    {%- if q.judging.gain == 'exponential' %}
    CASE
      WHEN relevance > 0
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- elif q.judging.gain == 'binary' %}
    CASE WHEN relevance > 0 THEN CAST(1 AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- else %}
    CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- endif %}
    {%- else %}
    {%- if q.judging.gain == 'exponential' %}
    CASE
      WHEN relevance > 0
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- elif q.judging.gain == 'binary' %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- else %}
    CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- endif %}
    {%- endif %} AS gain
  FROM {{ recall_duckdb.read(q, 'judgements') }}
) AS graded
{%- endmacro %}

{% macro bigquery__relation_ideal(q) -%}
/* The qrels in their ideal order: what a perfect system would return. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS INT64) AS relevant
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    relevance AS relevance,
    {%- if q.judging.threshold is none %}
    CASE WHEN relevance > 0 THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %} AS is_relevant,
    {%- if q.judging.threshold is none %}
    {%- if q.judging.gain == 'exponential' %}
    CASE
      WHEN relevance > 0
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- elif q.judging.gain == 'binary' %}
    CASE WHEN relevance > 0 THEN CAST(1 AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- else %}
    CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- endif %}
    {%- else %}
    {%- if q.judging.gain == 'exponential' %}
    CASE
      WHEN relevance > 0
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- elif q.judging.gain == 'binary' %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- else %}
    CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- endif %}
    {%- endif %} AS gain
  FROM {{ recall_duckdb.read(q, 'judgements') }}
) AS graded
{%- endmacro %}

{% macro clickhouse__relation_ideal(q) -%}
/* The qrels in their ideal order: what a perfect system would return. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS Nullable(Int64)) AS relevant
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    relevance AS relevance,
    {%- if q.judging.threshold is none %}
    CASE WHEN relevance > 0 THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL
        OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %} AS is_relevant,
    CASE
      WHEN relevance > 0
    {%- if q.judging.threshold is none %}
    {%- if q.judging.gain == 'exponential' %}
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
    {%- elif q.judging.gain == 'binary' %}
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    {%- else %}
      THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
    {%- endif %}
    {%- else %}
    {%- if q.judging.gain == 'exponential' %}
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
    {%- elif q.judging.gain == 'binary' %}
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL
        OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    {%- else %}
      THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
    {%- endif %}
    {%- endif %}
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END AS gain
  FROM {{ recall_duckdb.read(q, 'judgements') }}
) AS graded
{%- endmacro %}

{% macro postgres__relation_ideal(q) -%}
/* The qrels in their ideal order: what a perfect system would return. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC NULLS LAST, item DESC NULLS LAST) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS relevant
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    relevance AS relevance,
    {%- if q.judging.threshold is none %}
    CASE WHEN relevance > 0 THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL
        OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %} AS is_relevant,
    CASE
      WHEN relevance > 0
    {%- if q.judging.threshold is none %}
    {%- if q.judging.gain == 'exponential' %}
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
    {%- elif q.judging.gain == 'binary' %}
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    {%- else %}
      THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
    {%- endif %}
    {%- else %}
    {%- if q.judging.gain == 'exponential' %}
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
    {%- elif q.judging.gain == 'binary' %}
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL
        OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    {%- else %}
      THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
    {%- endif %}
    {%- endif %}
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END AS gain
  FROM {{ recall_duckdb.read(q, 'judgements') }}
) AS graded
{%- endmacro %}

{% macro snowflake__relation_ideal(q) -%}
/* The qrels in their ideal order: what a perfect system would return. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  MAX(gain) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS top_gain,
  ROW_NUMBER() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY gain DESC NULLS LAST, item DESC NULLS LAST) AS ideal_rank,
  CAST(SUM(is_relevant) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS relevant
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    relevance AS relevance,
    {%- if q.judging.threshold is none %}
    CASE WHEN relevance > 0 THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %} AS is_relevant,
    {%- if q.judging.threshold is none %}
    {%- if q.judging.gain == 'exponential' %}
    CASE
      WHEN relevance > 0
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- elif q.judging.gain == 'binary' %}
    CASE WHEN relevance > 0 THEN CAST(1 AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- else %}
    CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- endif %}
    {%- else %}
    {%- if q.judging.gain == 'exponential' %}
    CASE
      WHEN relevance > 0
      THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- elif q.judging.gain == 'binary' %}
    CASE
      WHEN relevance > 0
      AND (
        CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) IS NULL OR relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN CAST(1 AS {{ recall_duckdb.type_double() }})
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END
    {%- else %}
    CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
    {%- endif %}
    {%- endif %} AS gain
  FROM {{ recall_duckdb.read(q, 'judgements') }}
) AS graded
{%- endmacro %}
