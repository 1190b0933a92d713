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
  run, qrels=none, k=10, mean=none, query='query', item='item', score='score', rank=none, relevance='relevance',
  model=none, by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('serendipity', k, {'mean': mean}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test serendipity_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, query='query', item='item', score='score', rank=none,
  relevance='relevance', by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none,
  qrels_filter=none, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('serendipity', k, {'mean': mean}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('serendipity', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
