{# Written from sql/4_metrics/serendipity.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_serendipity(q, m) %}
  {{- return(adapter.dispatch('metric_serendipity', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_serendipity(q, m) -%}
/* How relevant and unexpected the items in the top k are: the mean, over the items, of how much higher a relevant item is ranked than its popularity would rank it, as a share of the catalog. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CASE
      WHEN is_relevant = 1 AND COALESCE(popularity_rank, catalog_size + 1) > rank
      THEN COALESCE(popularity_rank, catalog_size + 1) - rank
      ELSE 0
    END
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT(*) * MAX(catalog_size) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN (
  SELECT
    COUNT(*) AS catalog_size
  FROM {{ recall_duckdb.read(q, 'catalog_items') }}
) AS catalog_sizes
LEFT JOIN {{ recall_duckdb.read(q, 'graded') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
LEFT JOIN (
  SELECT
    item AS item,
    DENSE_RANK() OVER (ORDER BY holders DESC) AS popularity_rank
  FROM {{ recall_duckdb.read(q, 'held_items') }}
) AS popularity_ranks
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_serendipity(q, m) -%}
/* How relevant and unexpected the items in the top k are: the mean, over the items, of how much higher a relevant item is ranked than its popularity would rank it, as a share of the catalog. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CASE
      WHEN is_relevant = 1 AND COALESCE(popularity_rank, catalog_size + 1) > rank
      THEN COALESCE(popularity_rank, catalog_size + 1) - rank
      ELSE 0
    END
  ) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(COUNT(*) * MAX(catalog_size) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN (
  SELECT
    COUNT(*) AS catalog_size
  FROM {{ recall_duckdb.read(q, 'catalog_items') }}
) AS catalog_sizes
LEFT JOIN {{ recall_duckdb.read(q, 'graded') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
LEFT JOIN (
  SELECT
    item AS item,
    DENSE_RANK() OVER (ORDER BY holders DESC) AS popularity_rank
  FROM {{ recall_duckdb.read(q, 'held_items') }}
) AS popularity_ranks
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_serendipity(q, m) -%}
/* How relevant and unexpected the items in the top k are: the mean, over the items, of how much higher a relevant item is ranked than its popularity would rank it, as a share of the catalog. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CASE
      WHEN is_relevant = 1 AND COALESCE(popularity_rank, catalog_size + 1) > rank
      THEN COALESCE(popularity_rank, catalog_size + 1) - rank
      ELSE 0
    END
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT(*) * MAX(catalog_size) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN (
  SELECT
    COUNT(*) AS catalog_size
  FROM {{ recall_duckdb.read(q, 'catalog_items') }}
) AS catalog_sizes
LEFT JOIN {{ recall_duckdb.read(q, 'graded') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
LEFT JOIN (
  SELECT
    item AS item,
    DENSE_RANK() OVER (ORDER BY holders DESC NULLS LAST) AS popularity_rank
  FROM {{ recall_duckdb.read(q, 'held_items') }}
) AS popularity_ranks
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro snowflake__metric_serendipity(q, m) -%}
  {{- return(recall_duckdb.postgres__metric_serendipity(q, m)) -}}
{%- endmacro %}

{% macro serendipity_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('serendipity', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test serendipity_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('serendipity', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('serendipity', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
