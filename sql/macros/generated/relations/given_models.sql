{# Written from sql/2_ranking/given_models.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_given_models(q) %}
  {{- return(adapter.dispatch('relation_given_models', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_given_models(q) -%}
/* The models of a run with a model column, for empty = allow: a model whose rows are all removed is one too. */
SELECT
{%- if q.models %}
  model AS model
FROM {{ recall_duckdb.read(q, 'run') }}
GROUP BY
  model
{%- else %}
FROM {{ recall_duckdb.read(q, 'run') }}
{%- endif %}
{%- endmacro %}
