{# Written from sql/2_ranking/retrieved.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_retrieved(q) %}
  {{- return(adapter.dispatch('relation_retrieved', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_retrieved(q) -%}
/* The number of candidates and recommended items of every query in the run, down to the deepest cutoff. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(copies) AS BIGINT) AS candidates,
  CAST(SUM(recommended_copies) AS BIGINT) AS recommended,
  MAX(CASE WHEN copies > 1 THEN item END) AS repeated_item
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    COUNT(*) AS copies,
    SUM(is_recommended) AS recommended_copies
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item
) AS items
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro bigquery__relation_retrieved(q) -%}
/* The number of candidates and recommended items of every query in the run, down to the deepest cutoff. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(copies) AS INT64) AS candidates,
  CAST(SUM(recommended_copies) AS INT64) AS recommended,
  MAX(CASE WHEN copies > 1 THEN item END) AS repeated_item
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    COUNT(*) AS copies,
    SUM(is_recommended) AS recommended_copies
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item
) AS items
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__relation_retrieved(q) -%}
/* The number of candidates and recommended items of every query in the run, down to the deepest cutoff. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(copies) AS Nullable(Int64)) AS candidates,
  CAST(SUM(recommended_copies) AS Nullable(Int64)) AS recommended,
  MAX(CASE WHEN copies > 1 THEN item END) AS repeated_item
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    COUNT(*) AS copies,
    SUM(is_recommended) AS recommended_copies
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item
) AS items
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
