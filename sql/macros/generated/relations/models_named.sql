{# Written from sql/2_ranking/models/named.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_models_named(q) %}
  {{- return(adapter.dispatch('relation_models_named', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_models_named(q) -%}
/* The models that the user named, for empty = allow: a model without rows is one too. */
SELECT
{%- if q.models %}
  model AS model,
  COALESCE(retrieved_queries, 0) AS run_queries
FROM {{ recall_duckdb.read(q, 'named_models') }}
LEFT JOIN (
  SELECT
    model AS model,
    COUNT(*) AS retrieved_queries
  FROM {{ recall_duckdb.read(q, 'retrieved') }}
  GROUP BY
    model
) AS counted
  USING (model)
{%- else %}
  COALESCE(retrieved_queries, 0) AS run_queries
FROM {{ recall_duckdb.read(q, 'named_models') }}
CROSS JOIN (
  SELECT
    COUNT(*) AS retrieved_queries
  FROM {{ recall_duckdb.read(q, 'retrieved') }}
) AS counted
{%- endif %}
{%- endmacro %}
