{# Written from sql/2_ranking/training_size.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_training_size(q) %}
  {{- return(adapter.dispatch('relation_training_size', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_training_size(q) -%}
/* The number of queries in the training data. */
SELECT
  COUNT(*) AS training_queries
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  FROM {{ recall_duckdb.read(q, 'training') }}
  GROUP BY
    {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
) AS trained
{%- endmacro %}
