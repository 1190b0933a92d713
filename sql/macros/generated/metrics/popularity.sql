{# Written from sql/4_metrics/popularity.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_popularity(q, m) %}
  {{- return(adapter.dispatch('metric_popularity', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_popularity(q, m) -%}
/* The mean popularity of the items in the top k. An item's popularity is the share of the training data's queries that hold it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(COALESCE(holders, 0)) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(COUNT(*) * MAX(training_queries) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN {{ recall_duckdb.read(q, 'training_size') }}
LEFT JOIN {{ recall_duckdb.read(q, 'held_items') }}
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_popularity(q, m) -%}
/* The mean popularity of the items in the top k. An item's popularity is the share of the training data's queries that hold it. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(COALESCE(holders, 0)) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(COUNT(*) * MAX(training_queries) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
CROSS JOIN {{ recall_duckdb.read(q, 'training_size') }}
LEFT JOIN {{ recall_duckdb.read(q, 'held_items') }}
  USING (item)
WHERE
  rank BETWEEN 1 AND {{ m.k or 'rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro popularity_at_k(
  run, qrels=none, k=10, mean=none, query='query', item='item', score='score', rank=none, relevance='relevance',
  model=none, by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('popularity', k, {'mean': mean}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test popularity_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, query='query', item='item', score='score', rank=none,
  relevance='relevance', by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none,
  qrels_filter=none, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('popularity', k, {'mean': mean}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('popularity', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
