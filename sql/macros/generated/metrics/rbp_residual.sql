{# Written from sql/4_metrics/rbp_residual.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_rbp_residual(q, m) %}
  {{- return(adapter.dispatch('metric_rbp_residual', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(CASE
        WHEN rank >= 1 AND relevance >= 0
        THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro bigquery__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(CASE
        WHEN rank >= 1 AND relevance >= 0
        THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro clickhouse__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN rank >= 1 AND relevance >= 0
          THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro postgres__metric_rbp_residual(q, m) -%}
CASE
  WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END)
  THEN 1 - (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * (
    CAST(SUM(
      CAST(CAST(CASE
        WHEN rank >= 1 AND relevance >= 0
        THEN POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }}))
  )
  ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
END
{%- endmacro %}

{% macro redshift__metric_rbp_residual(q, m) -%}
  {{- return(recall_duckdb.default__metric_rbp_residual(q, m)) -}}
{%- endmacro %}

{% macro rbp_residual(
  run, qrels=none, p=none, mean=none, query='query', item='item', score='score', rank=none, relevance='relevance',
  model=none, by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('rbp_residual', none, {'p': p, 'mean': mean}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test rbp_residual_at_least(
  model, at_least, qrels=none, p=none, mean=none, query='query', item='item', score='score', rank=none,
  relevance='relevance', by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none,
  qrels_filter=none, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('rbp_residual', none, {'p': p, 'mean': mean}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('rbp_residual', none, {'p': p, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
