{# Written from sql/2_ranking/models.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_models(q) %}
  {{- return(adapter.dispatch('relation_models', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_models(q) -%}
/* The models that the run holds. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(*) AS run_queries
FROM {{ recall_duckdb.read(q, 'retrieved') }}
GROUP BY
  model
{%- else %}
  COUNT(*) AS run_queries
FROM {{ recall_duckdb.read(q, 'retrieved') }}
{%- endif %}
{%- endmacro %}
