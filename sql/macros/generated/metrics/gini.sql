{# Written from sql/4_metrics/gini.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_gini(q, m) %}
  {{- return(adapter.dispatch('metric_gini', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_gini(q, m) -%}
/* How unequally the top-k recommendations are spread over the catalog: 0 if all items are recommended equally often, near 1 if one item gets all recommendations. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM((
    2 * place - items - 1
  ) * times) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(items) * SUM(times) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    model AS model,
    COALESCE(times, 0) AS times,
    ROW_NUMBER() OVER (
      PARTITION BY model
      ORDER BY COALESCE(times, 0) ASC NULLS FIRST, item ASC NULLS FIRST
    ) AS place,
    COUNT(*) OVER (PARTITION BY model) AS items
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
  LEFT JOIN (
    SELECT
      model AS model,
      item AS item,
      COUNT(*) AS times
    FROM {{ recall_duckdb.read(q, 'shown') }}
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      model,
      item
  ) AS shown_items
    USING (model, item)
) AS spread
GROUP BY
  model
{%- else %}
  CAST(SUM((
    2 * place - items - 1
  ) * times) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(items) * SUM(times) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    COALESCE(times, 0) AS times,
    ROW_NUMBER() OVER (ORDER BY COALESCE(times, 0) ASC NULLS FIRST, item ASC NULLS FIRST) AS place,
    COUNT(*) OVER () AS items
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
  LEFT JOIN (
    SELECT
      item AS item,
      COUNT(*) AS times
    FROM {{ recall_duckdb.read(q, 'shown') }}
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      item
  ) AS shown_items
    USING (item)
) AS spread
{%- endif %}
{%- endmacro %}

{% macro bigquery__metric_gini(q, m) -%}
/* How unequally the top-k recommendations are spread over the catalog: 0 if all items are recommended equally often, near 1 if one item gets all recommendations. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM((
    2 * place - items - 1
  ) * times) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(items) * SUM(times) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    model AS model,
    COALESCE(times, 0) AS times,
    ROW_NUMBER() OVER (PARTITION BY model ORDER BY COALESCE(times, 0) ASC, item ASC) AS place,
    COUNT(*) OVER (PARTITION BY model) AS items
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
  LEFT JOIN (
    SELECT
      model AS model,
      item AS item,
      COUNT(*) AS times
    FROM {{ recall_duckdb.read(q, 'shown') }}
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      model,
      item
  ) AS shown_items
    USING (model, item)
) AS spread
GROUP BY
  model
{%- else %}
  CAST(SUM((
    2 * place - items - 1
  ) * times) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(items) * SUM(times) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    COALESCE(times, 0) AS times,
    ROW_NUMBER() OVER (ORDER BY COALESCE(times, 0) ASC, item ASC) AS place,
    COUNT(*) OVER () AS items
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
  LEFT JOIN (
    SELECT
      item AS item,
      COUNT(*) AS times
    FROM {{ recall_duckdb.read(q, 'shown') }}
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      item
  ) AS shown_items
    USING (item)
) AS spread
{%- endif %}
{%- endmacro %}

{% macro clickhouse__metric_gini(q, m) -%}
/* How unequally the top-k recommendations are spread over the catalog: 0 if all items are recommended equally often, near 1 if one item gets all recommendations. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM((
    2 * place - items - 1
  ) * times) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(items) * SUM(times) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    model AS model,
    COALESCE(times, 0) AS times,
    ROW_NUMBER() OVER (
      PARTITION BY model
      ORDER BY COALESCE(times, 0) ASC NULLS FIRST, item ASC NULLS FIRST
    ) AS place,
    COUNT(*) OVER (PARTITION BY model) AS items
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
  LEFT JOIN (
    SELECT
      model AS model,
      item AS item,
      COUNT(*) AS times
    FROM {{ recall_duckdb.read(q, 'shown') }}
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      model,
      item
  ) AS shown_items
    USING (model, item)
) AS spread
GROUP BY
  model
{%- else %}
  CAST(SUM((
    2 * place - items - 1
  ) * times) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(items) * SUM(times) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    COALESCE(times, 0) AS times,
    ROW_NUMBER() OVER (ORDER BY COALESCE(times, 0) ASC NULLS FIRST, item ASC NULLS FIRST) AS place,
    COUNT(*) OVER () AS items
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'catalog_items') }}
  LEFT JOIN (
    SELECT
      item AS item,
      COUNT(*) AS times
    FROM {{ recall_duckdb.read(q, 'shown') }}
    WHERE
      rank BETWEEN 1 AND {{ m.k or 'rank' }}
    GROUP BY
      item
  ) AS shown_items
    USING (item)
) AS spread
{%- endif %}
{%- endmacro %}

{% macro spark__metric_gini(q, m) -%}
  {{- return(recall_duckdb.bigquery__metric_gini(q, m)) -}}
{%- endmacro %}

{% macro gini_at_k(
  run, qrels=none, k=10, query='query', item='item', score='score', rank=none, relevance='relevance', model=none,
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('gini', k, {}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test gini_at_k_at_least(
  model, at_least, qrels=none, k=10, query='query', item='item', score='score', rank=none, relevance='relevance',
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none, pairs=none,
  item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc', duplicates=none,
  nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('gini', k, {}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('gini', k, {}), at_least, by, model, filter) -}}
{% endtest %}
