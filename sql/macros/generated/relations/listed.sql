{# Written from sql/2_ranking/listed.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_listed(q) %}
  {{- return(adapter.dispatch('relation_listed', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_listed(q) -%}
/* The items that run and qrels are restricted to. */
SELECT
  item AS item,
  1 AS is_listed
FROM {{ recall_duckdb.read(q, 'items') }}
GROUP BY
  item
{%- endmacro %}
