{# Written from sql/3_judging/graded.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_graded(q) %}
  {{- return(adapter.dispatch('relation_graded', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_graded(q) -%}
/* The qrels with the gain of each item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  {%- if q.judging.threshold is none %}
  CASE WHEN relevance > 0 THEN 1 ELSE 0 END
  {%- else %}
  CASE
  {%- if recall_duckdb.as_float(q.judging.threshold) is none %}
    WHEN relevance > 0 AND relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN relevance > 0
    AND (
      relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) OR relevance = CAST('{{ recall_duckdb.as_float(q.judging.threshold) }}' AS {{ recall_duckdb.type_double() }})
    )
  {%- endif %}
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
  {%- elif q.judging.gain == 'table' %}
  CASE
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
  {%- endif %}
  {%- else %}
  {%- if recall_duckdb.as_float(q.judging.threshold) is none %}
  {%- if q.judging.gain == 'exponential' %}
  CASE
    WHEN relevance > 0
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- elif q.judging.gain == 'binary' %}
  CASE
    WHEN relevance > 0 AND relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- elif q.judging.gain == 'table' %}
  CASE
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
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
      relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }}) OR relevance = CAST('{{ recall_duckdb.as_float(q.judging.threshold) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- elif q.judging.gain == 'table' %}
  CASE
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
  {%- endif %}
  {%- endif %}
  {%- endif %} AS gain
FROM {{ recall_duckdb.read(q, 'judgements') }}
{%- endmacro %}

{% macro bigquery__relation_graded(q) -%}
/* The qrels with the gain of each item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  {%- if q.judging.threshold is none %}
  CASE WHEN relevance > 0 THEN 1 ELSE 0 END
  {%- else %}
  CASE
  {%- if recall_duckdb.as_float(q.judging.threshold) is none %}
    WHEN relevance > 0 AND relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN relevance > 0
    AND (
      relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      OR relevance = CAST('{{ recall_duckdb.as_float(q.judging.threshold) }}' AS {{ recall_duckdb.type_double() }})
    )
  {%- endif %}
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
  {%- elif q.judging.gain == 'table' %}
  CASE
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
  {%- endif %}
  {%- else %}
  {%- if recall_duckdb.as_float(q.judging.threshold) is none %}
  {%- if q.judging.gain == 'exponential' %}
  CASE
    WHEN relevance > 0
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- elif q.judging.gain == 'binary' %}
  CASE
    WHEN relevance > 0 AND relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- elif q.judging.gain == 'table' %}
  CASE
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
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
      relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      OR relevance = CAST('{{ recall_duckdb.as_float(q.judging.threshold) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- elif q.judging.gain == 'table' %}
  CASE
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  CASE WHEN relevance > 0 THEN CAST(relevance AS {{ recall_duckdb.type_double() }}) ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END
  {%- endif %}
  {%- endif %}
  {%- endif %} AS gain
FROM {{ recall_duckdb.read(q, 'judgements') }}
{%- endmacro %}

{% macro clickhouse__relation_graded(q) -%}
/* The qrels with the gain of each item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  {%- if q.judging.threshold is none %}
  CASE WHEN relevance > 0 THEN 1 ELSE 0 END
  {%- else %}
  CASE
  {%- if recall_duckdb.as_float(q.judging.threshold) is none %}
    WHEN relevance > 0 AND relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN relevance > 0
    AND (
      relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      OR relevance = CAST('{{ recall_duckdb.as_float(q.judging.threshold) }}' AS {{ recall_duckdb.type_double() }})
    )
  {%- endif %}
    THEN 1
    ELSE 0
  END
  {%- endif %} AS is_relevant,
  CASE
  {%- if q.judging.threshold is none %}
    WHEN relevance > 0
  {%- if q.judging.gain == 'exponential' %}
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
  {%- elif q.judging.gain == 'binary' %}
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
  {%- elif q.judging.gain == 'table' %}
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
  {%- else %}
    THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
  {%- endif %}
  {%- else %}
  {%- if recall_duckdb.as_float(q.judging.threshold) is none %}
  {%- if q.judging.gain == 'exponential' %}
    WHEN relevance > 0
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
  {%- elif q.judging.gain == 'binary' %}
    WHEN relevance > 0 AND relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
  {%- elif q.judging.gain == 'table' %}
    WHEN relevance > 0
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
  {%- else %}
    WHEN relevance > 0
    THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
  {%- endif %}
  {%- else %}
    WHEN relevance > 0
  {%- if q.judging.gain == 'exponential' %}
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(relevance AS {{ recall_duckdb.type_double() }})) - 1
  {%- elif q.judging.gain == 'binary' %}
    AND (
      relevance >= CAST('{{ q.judging.threshold }}' AS {{ recall_duckdb.type_double() }})
      OR relevance = CAST('{{ recall_duckdb.as_float(q.judging.threshold) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN CAST(1 AS {{ recall_duckdb.type_double() }})
  {%- elif q.judging.gain == 'table' %}
    THEN COALESCE({{ recall_duckdb.gain_of(q.judging.gains, 'relevance') }}, CAST(relevance AS {{ recall_duckdb.type_double() }}))
  {%- else %}
    THEN CAST(relevance AS {{ recall_duckdb.type_double() }})
  {%- endif %}
  {%- endif %}
  {%- endif %}
    ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
  END AS gain
FROM {{ recall_duckdb.read(q, 'judgements') }}
{%- endmacro %}

{% macro postgres__relation_graded(q) -%}
  {{- return(recall_duckdb.clickhouse__relation_graded(q)) -}}
{%- endmacro %}
