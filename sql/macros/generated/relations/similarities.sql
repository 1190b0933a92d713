{# Written from sql/2_ranking/similarities.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_similarities(q) %}
  {{- return(adapter.dispatch('relation_similarities', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_similarities(q) -%}
/* The similarity of two items, in both orders. */
SELECT
  one AS item,
  two AS other,
  MAX(degree) AS similarity
FROM (
  SELECT
    item AS one,
    other AS two,
    similarity AS degree
  FROM {{ recall_duckdb.read(q, 'pairs') }}
  UNION ALL
  SELECT
    other AS one,
    item AS two,
    similarity AS degree
  FROM {{ recall_duckdb.read(q, 'pairs') }}
) AS both_ways
GROUP BY
  one,
  two
{%- endmacro %}
