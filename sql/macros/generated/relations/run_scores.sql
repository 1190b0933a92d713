{# Written from sql/1_inputs/run/scores.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_run_scores(q) %}
  {{- return(adapter.dispatch('relation_run_scores', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_run_scores(q) -%}
/* The run, from a relation with one row per candidate and its score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN score >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN score <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CAST(CAST(score AS REAL) AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  score
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
{%- endmacro %}

{% macro bigquery__relation_run_scores(q) -%}
/* The run, from a relation with one row per candidate and its score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN score >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN score <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CASE
      WHEN ABS(score) < CAST('1.1754943508222875e-38' AS {{ recall_duckdb.type_double() }})
      THEN (
        score + CAST('9.466330862652142e-30' AS {{ recall_duckdb.type_double() }})
      ) - CAST('9.466330862652142e-30' AS {{ recall_duckdb.type_double() }})
      ELSE (
        score + score * CAST('536870912.0' AS {{ recall_duckdb.type_double() }})
      ) - score * CAST('536870912.0' AS {{ recall_duckdb.type_double() }})
    END
  END
  {%- else %}
  score
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
{%- endmacro %}

{% macro clickhouse__relation_run_scores(q) -%}
/* The run, from a relation with one row per candidate and its score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN score >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN score <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CAST(CAST(score AS Nullable(Float32)) AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  score
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
{%- endmacro %}

{% macro spark__relation_run_scores(q) -%}
/* The run, from a relation with one row per candidate and its score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN score >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN score <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CAST(CAST(score AS FLOAT) AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  score
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
{%- endmacro %}

{% macro postgres__relation_run_scores(q) -%}
  {{- return(recall_duckdb.bigquery__relation_run_scores(q)) -}}
{%- endmacro %}

{% macro snowflake__relation_run_scores(q) -%}
  {{- return(recall_duckdb.bigquery__relation_run_scores(q)) -}}
{%- endmacro %}
