{# Written from sql/2_ranking/catalog_items.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_catalog_items(q) %}
  {{- return(adapter.dispatch('relation_catalog_items', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_catalog_items(q) -%}
/* The items that could be recommended. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'catalog') }}
WHERE
  NOT item IS NULL
GROUP BY
  item
{%- endmacro %}

{% macro clickhouse__relation_catalog_items(q) -%}
/* The items that could be recommended. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'catalog') }}
WHERE
  NOT (
    item IS NULL
  )
GROUP BY
  item
{%- endmacro %}
