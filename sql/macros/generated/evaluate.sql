{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro evaluate(
  metrics, run, qrels=none, query='query', item='item', score='score', rank=none, relevance='relevance', model=none,
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {%- do recall_duckdb.check_arguments('evaluate', kwargs, [
    'metrics', 'run', 'qrels', 'query', 'item', 'score', 'rank', 'relevance', 'model', 'by', 'by_in', 'item_by',
    'qrels_query', 'qrels_item', 'filter', 'qrels_filter', 'per_query', 'exclude', 'items', 'weights', 'training',
    'obvious', 'catalog', 'features', 'pairs', 'item_slices', 'query_slices', 'no_relevant', 'missing', 'ties',
    'duplicates', 'nulls', 'precision', 'unjudged', 'ranks', 'empty', 'ids', 'order', 'semantics', 'depth',
    'threshold', 'min_score'
  ]) -%}
  {%- set q = recall_duckdb.question({
    'metrics': metrics, 'run': run, 'qrels': qrels, 'query': query, 'item': item, 'score': score, 'rank': rank,
    'relevance': relevance, 'model': model, 'by': by, 'by_in': by_in, 'item_by': item_by, 'qrels_query': qrels_query,
    'qrels_item': qrels_item, 'filter': filter, 'qrels_filter': qrels_filter, 'per_query': per_query, 'exclude':
    exclude, 'items': items, 'weights': weights, 'training': training, 'obvious': obvious, 'catalog': catalog,
    'features': features, 'pairs': pairs, 'item_slices': item_slices, 'query_slices': query_slices, 'no_relevant':
    no_relevant, 'missing': missing, 'ties': ties, 'duplicates': duplicates, 'nulls': nulls, 'precision': precision,
    'unjudged': unjudged, 'ranks': ranks, 'empty': empty, 'ids': ids, 'order': order, 'semantics': semantics, 'depth':
    depth, 'threshold': threshold, 'min_score': min_score
  }) -%}
  {{- recall_duckdb.composed(q, per_query=per_query) -}}
{% endmacro %}

{% macro pool(
  metrics, run, qrels=none, query='query', item='item', score='score', rank=none, relevance='relevance', model=none,
  qrels_query=none, qrels_item=none, filter=none, qrels_filter=none, exclude=none, items=none, weights=none,
  training=none, obvious=none, catalog=none, features=none, pairs=none, no_relevant='zero', missing='zero',
  ties='item_desc', duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none,
  ids='typed', order=none, semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {%- do recall_duckdb.check_arguments('pool', kwargs, [
    'metrics', 'run', 'qrels', 'query', 'item', 'score', 'rank', 'relevance', 'model', 'qrels_query', 'qrels_item',
    'filter', 'qrels_filter', 'exclude', 'items', 'weights', 'training', 'obvious', 'catalog', 'features', 'pairs',
    'no_relevant', 'missing', 'ties', 'duplicates', 'nulls', 'precision', 'unjudged', 'ranks', 'empty', 'ids',
    'order', 'semantics', 'depth', 'threshold', 'min_score'
  ]) -%}
  {%- set q = recall_duckdb.question({
    'metrics': metrics, 'run': run, 'qrels': qrels, 'query': query, 'item': item, 'score': score, 'rank': rank,
    'relevance': relevance, 'model': model, 'qrels_query': qrels_query, 'qrels_item': qrels_item, 'filter': filter,
    'qrels_filter': qrels_filter, 'exclude': exclude, 'items': items, 'weights': weights, 'training': training,
    'obvious': obvious, 'catalog': catalog, 'features': features, 'pairs': pairs, 'no_relevant': no_relevant,
    'missing': missing, 'ties': ties, 'duplicates': duplicates, 'nulls': nulls, 'precision': precision, 'unjudged':
    unjudged, 'ranks': ranks, 'empty': empty, 'ids': ids, 'order': order, 'semantics': semantics, 'depth': depth,
    'threshold': threshold, 'min_score': min_score, 'by': none, 'by_in': 'qrels', 'item_by': none, 'item_slices':
    none, 'query_slices': none, 'pool': true
  }) -%}
  {{- recall_duckdb.composed(q, pool=true) -}}
{% endmacro %}

{% macro means_by_day(
  metrics, run, qrels=none, days=none, day_column='day', qrels_day_column=none, windows=1, query='query', item='item',
  score='score', rank=none, relevance='relevance', model=none, by=none, by_in='qrels', item_by=none, qrels_query=none,
  qrels_item=none, filter=none, qrels_filter=none, exclude=none, items=none, weights=none, training=none,
  obvious=none, catalog=none, features=none, pairs=none, item_slices=none, query_slices=none, no_relevant='zero',
  missing='zero', ties='item_desc', duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none,
  empty=none, ids='typed', order=none, semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {%- do recall_duckdb.check_arguments('means_by_day', kwargs, [
    'metrics', 'run', 'qrels', 'days', 'day_column', 'qrels_day_column', 'windows', 'query', 'item', 'score', 'rank',
    'relevance', 'model', 'by', 'by_in', 'item_by', 'qrels_query', 'qrels_item', 'filter', 'qrels_filter', 'exclude',
    'items', 'weights', 'training', 'obvious', 'catalog', 'features', 'pairs', 'item_slices', 'query_slices',
    'no_relevant', 'missing', 'ties', 'duplicates', 'nulls', 'precision', 'unjudged', 'ranks', 'empty', 'ids',
    'order', 'semantics', 'depth', 'threshold', 'min_score'
  ]) -%}
  {{- recall_duckdb.composed_by_day({
    'metrics': metrics, 'run': run, 'qrels': qrels, 'query': query, 'item': item, 'score': score, 'rank': rank,
    'relevance': relevance, 'model': model, 'by': by, 'by_in': by_in, 'item_by': item_by, 'qrels_query': qrels_query,
    'qrels_item': qrels_item, 'filter': filter, 'qrels_filter': qrels_filter, 'exclude': exclude, 'items': items,
    'weights': weights, 'training': training, 'obvious': obvious, 'catalog': catalog, 'features': features, 'pairs':
    pairs, 'item_slices': item_slices, 'query_slices': query_slices, 'no_relevant': no_relevant, 'missing': missing,
    'ties': ties, 'duplicates': duplicates, 'nulls': nulls, 'precision': precision, 'unjudged': unjudged, 'ranks':
    ranks, 'empty': empty, 'ids': ids, 'order': order, 'semantics': semantics, 'depth': depth, 'threshold': threshold,
    'min_score': min_score
  }, days, day_column, qrels_day_column, windows) -}}
{% endmacro %}

{% test check(
  model, qrels=none, metrics=none, query='query', item='item', score='score', rank=none, relevance='relevance',
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none, pairs=none,
  item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc', duplicates='error',
  nulls='error', precision='k', unjudged='keep', ranks='error', empty='error', ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none, only=none, skip=none
) %}
  {%- do recall_duckdb.check_arguments('check', kwargs, [
    'model', 'qrels', 'metrics', 'query', 'item', 'score', 'rank', 'relevance', 'by', 'by_in', 'item_by',
    'qrels_query', 'qrels_item', 'filter', 'qrels_filter', 'exclude', 'items', 'weights', 'training', 'obvious',
    'catalog', 'features', 'pairs', 'item_slices', 'query_slices', 'no_relevant', 'missing', 'ties', 'duplicates',
    'nulls', 'precision', 'unjudged', 'ranks', 'empty', 'ids', 'order', 'semantics', 'depth', 'threshold',
    'min_score', 'model_column', 'only', 'skip'
  ]) -%}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {{- recall_duckdb.faults({
    'qrels': qrels, 'metrics': metrics, 'query': query, 'item': item, 'score': score, 'rank': rank, 'relevance':
    relevance, 'by': by, 'by_in': by_in, 'item_by': item_by, 'qrels_query': qrels_query, 'qrels_item': qrels_item,
    'filter': filter, 'qrels_filter': qrels_filter, 'exclude': exclude, 'items': items, 'weights': weights,
    'training': training, 'obvious': obvious, 'catalog': catalog, 'features': features, 'pairs': pairs, 'item_slices':
    item_slices, 'query_slices': query_slices, 'no_relevant': no_relevant, 'missing': missing, 'ties': ties,
    'duplicates': duplicates, 'nulls': nulls, 'precision': precision, 'unjudged': unjudged, 'ranks': ranks, 'empty':
    empty, 'ids': ids, 'order': order, 'semantics': semantics, 'depth': depth, 'threshold': threshold, 'min_score':
    min_score, 'run': model, 'model': model_column
  }, only, skip) -}}
{% endtest %}
