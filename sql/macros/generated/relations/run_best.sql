{# Written from sql/1_inputs/run/best.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_run_best(q) %}
  {{- return(adapter.dispatch('relation_run_best', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_run_best(q) -%}
/* The run for duplicates = best: an item that a list holds twice counts once, with its best score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN MAX(score) >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN MAX(score) <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CAST(CAST(MAX(score) AS REAL) AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  MAX(score)
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}

{% macro bigquery__relation_run_best(q) -%}
/* The run for duplicates = best: an item that a list holds twice counts once, with its best score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN MAX(score) >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN MAX(score) <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CASE
      WHEN ABS(MAX(score)) < CAST('1.1754943508222875e-38' AS {{ recall_duckdb.type_double() }})
      THEN (
        MAX(score) + CAST('9.466330862652142e-30' AS {{ recall_duckdb.type_double() }})
      ) - CAST('9.466330862652142e-30' AS {{ recall_duckdb.type_double() }})
      ELSE (
        MAX(score) + MAX(score) * CAST('536870912.0' AS {{ recall_duckdb.type_double() }})
      ) - MAX(score) * CAST('536870912.0' AS {{ recall_duckdb.type_double() }})
    END
  END
  {%- else %}
  MAX(score)
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}

{% macro clickhouse__relation_run_best(q) -%}
/* The run for duplicates = best: an item that a list holds twice counts once, with its best score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN MAX(score) >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN MAX(score) <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CAST(CAST(MAX(score) AS Nullable(Float32)) AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  MAX(score)
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}

{% macro spark__relation_run_best(q) -%}
/* The run for duplicates = best: an item that a list holds twice counts once, with its best score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.semantics == 'trec_eval_9' %}
  CASE
    WHEN MAX(score) >= CAST(3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    WHEN MAX(score) <= CAST(-3.4028235677973366e38 AS {{ recall_duckdb.type_double() }})
    THEN CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
    ELSE CAST(CAST(MAX(score) AS FLOAT) AS {{ recall_duckdb.type_double() }})
  END
  {%- else %}
  MAX(score)
  {%- endif %} AS score
FROM {{ recall_duckdb.read(q, 'run_source') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}

{% macro postgres__relation_run_best(q) -%}
  {{- return(recall_duckdb.bigquery__relation_run_best(q)) -}}
{%- endmacro %}

{% macro snowflake__relation_run_best(q) -%}
  {{- return(recall_duckdb.bigquery__relation_run_best(q)) -}}
{%- endmacro %}
