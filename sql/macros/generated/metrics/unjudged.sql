{# Written from sql/4_metrics/unjudged.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_unjudged(q, m) %}
  {{- return(adapter.dispatch('metric_unjudged', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_unjudged(q, m) -%}
CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro clickhouse__metric_unjudged(q, m) -%}
CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST({{ m.k or 'MAX(retrieved)' }} AS {{ recall_duckdb.type_double() }}), 0)
{%- endmacro %}

{% macro unjudged_at_k(
  run, qrels=none, k=10, mean=none, query='query', item='item', score='score', rank=none, relevance='relevance',
  model=none, by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('unjudged', k, {'mean': mean}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test unjudged_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, query='query', item='item', score='score', rank=none,
  relevance='relevance', by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none,
  qrels_filter=none, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('unjudged', k, {'mean': mean}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('unjudged', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
