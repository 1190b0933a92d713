{# Written from sql/4_metrics/overlap.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_overlap(q, m) %}
  {{- return(adapter.dispatch('metric_overlap', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_overlap(q, m) -%}
/* How similar the lists of different queries are: the mean, over all pairs of queries, of the share of the top k that both lists contain. One minus overlap is called personalization, or inter-user diversity. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM(holding * (
    holding - 1
  )) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(lists) * (
    MAX(lists) - 1
  ) AS {{ recall_duckdb.type_double() }}) * CAST(MAX(cutoff) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    model AS model,
    item AS item,
    SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 ELSE 0 END) AS holding
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    model,
    item
) AS items
INNER JOIN (
  SELECT
    model AS model,
    COUNT(*) AS lists,
    {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      COUNT(*) AS longest
    FROM {{ recall_duckdb.read(q, 'shown') }}
    GROUP BY
      model{% for query in q.queries %},
      {{ query.column }}{% endfor %}
  ) AS each_list
  GROUP BY
    model
) AS all_lists
  USING (model)
GROUP BY
  model
{%- else %}
  CAST(SUM(holding * (
    holding - 1
  )) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(lists) * (
    MAX(lists) - 1
  ) AS {{ recall_duckdb.type_double() }}) * CAST(MAX(cutoff) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    item AS item,
    SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 ELSE 0 END) AS holding
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    item
) AS items
CROSS JOIN (
  SELECT
    COUNT(*) AS lists,
    {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      COUNT(*) AS longest
    FROM {{ recall_duckdb.read(q, 'shown') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS each_list
) AS all_lists
{%- endif %}
{%- endmacro %}

{% macro bigquery__metric_overlap(q, m) -%}
/* How similar the lists of different queries are: the mean, over all pairs of queries, of the share of the top k that both lists contain. One minus overlap is called personalization, or inter-user diversity. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM(holding * (
    holding - 1
  )) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(MAX(lists) * (
      MAX(lists) - 1
    ) AS {{ recall_duckdb.type_double() }}) * CAST(MAX(cutoff) AS {{ recall_duckdb.type_double() }}),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    model AS model,
    item AS item,
    SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 ELSE 0 END) AS holding
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    model,
    item
) AS items
INNER JOIN (
  SELECT
    model AS model,
    COUNT(*) AS lists,
    {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      COUNT(*) AS longest
    FROM {{ recall_duckdb.read(q, 'shown') }}
    GROUP BY
      model{% for query in q.queries %},
      {{ query.column }}{% endfor %}
  ) AS each_list
  GROUP BY
    model
) AS all_lists
  USING (model)
GROUP BY
  model
{%- else %}
  CAST(SUM(holding * (
    holding - 1
  )) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(MAX(lists) * (
      MAX(lists) - 1
    ) AS {{ recall_duckdb.type_double() }}) * CAST(MAX(cutoff) AS {{ recall_duckdb.type_double() }}),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    item AS item,
    SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 ELSE 0 END) AS holding
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    item
) AS items
CROSS JOIN (
  SELECT
    COUNT(*) AS lists,
    {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      COUNT(*) AS longest
    FROM {{ recall_duckdb.read(q, 'shown') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS each_list
) AS all_lists
{%- endif %}
{%- endmacro %}

{% macro clickhouse__metric_overlap(q, m) -%}
/* How similar the lists of different queries are: the mean, over all pairs of queries, of the share of the top k that both lists contain. One minus overlap is called personalization, or inter-user diversity. */
SELECT
{%- if q.models %}
  model AS model,
  CAST(SUM(holding * (
    holding - 1
  )) AS {{ recall_duckdb.type_double() }}) / nullIf(
    CAST(MAX(lists) * (
      MAX(lists) - 1
    ) AS {{ recall_duckdb.type_double() }}) * CAST(MAX(cutoff) AS {{ recall_duckdb.type_double() }}),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    model AS model,
    item AS item,
    SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 ELSE 0 END) AS holding
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    model,
    item
) AS items
INNER JOIN (
  SELECT
    model AS model,
    COUNT(*) AS lists,
    {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      COUNT(*) AS longest
    FROM {{ recall_duckdb.read(q, 'shown') }}
    GROUP BY
      model{% for query in q.queries %},
      {{ query.column }}{% endfor %}
  ) AS each_list
  GROUP BY
    model
) AS all_lists
  USING (model)
GROUP BY
  model
{%- else %}
  CAST(SUM(holding * (
    holding - 1
  )) AS {{ recall_duckdb.type_double() }}) / nullIf(
    CAST(MAX(lists) * (
      MAX(lists) - 1
    ) AS {{ recall_duckdb.type_double() }}) * CAST(MAX(cutoff) AS {{ recall_duckdb.type_double() }}),
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT
    item AS item,
    SUM(CASE WHEN rank BETWEEN 1 AND {{ m.k or 'rank' }} THEN 1 ELSE 0 END) AS holding
  FROM {{ recall_duckdb.read(q, 'shown') }}
  GROUP BY
    item
) AS items
CROSS JOIN (
  SELECT
    COUNT(*) AS lists,
    {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      COUNT(*) AS longest
    FROM {{ recall_duckdb.read(q, 'shown') }}
    GROUP BY
      {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  ) AS each_list
) AS all_lists
{%- endif %}
{%- endmacro %}

{% macro postgres__metric_overlap(q, m) -%}
  {{- return(recall_duckdb.bigquery__metric_overlap(q, m)) -}}
{%- endmacro %}

{% macro overlap_at_k(
  run, qrels=none, k=10, query='query', item='item', score='score', rank=none, relevance='relevance', model=none,
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('overlap', k, {}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test overlap_at_k_at_least(
  model, at_least, qrels=none, k=10, query='query', item='item', score='score', rank=none, relevance='relevance',
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none, pairs=none,
  item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc', duplicates=none,
  nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('overlap', k, {}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('overlap', k, {}), at_least, by, model, filter) -}}
{% endtest %}
