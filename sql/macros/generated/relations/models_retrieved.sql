{# Written from sql/2_ranking/models/retrieved.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_models_retrieved(q) %}
  {{- return(adapter.dispatch('relation_models_retrieved', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_models_retrieved(q) -%}
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
