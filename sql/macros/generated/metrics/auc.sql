{# Written from sql/4_metrics/auc.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_auc(q, m) %}
  {{- return(adapter.dispatch('metric_auc', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_auc(q, m) -%}
/* The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (
      SUM(is_relevant) + 1
    ) AS {{ recall_duckdb.type_double() }}) / 2
  ) / NULLIF(CAST(SUM(is_relevant) * (
    COUNT(*) - SUM(is_relevant)
  ) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score ASC NULLS FIRST) AS {{ recall_duckdb.type_double() }}) + CAST(COUNT(*) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score ASC NULLS FIRST
      RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) - 1 AS {{ recall_duckdb.type_double() }}) / 2 AS mean_rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS scored
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__metric_auc(q, m) -%}
/* The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST((
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (
      SUM(is_relevant) + 1
    ) AS {{ recall_duckdb.type_double() }}) / 2
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(SUM(is_relevant) * (
    COUNT(*) - SUM(is_relevant)
  ) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score ASC NULLS FIRST) AS {{ recall_duckdb.type_double() }}) + CAST(COUNT(*) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score ASC NULLS FIRST
      RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) - 1 AS {{ recall_duckdb.type_double() }}) / 2 AS mean_rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS scored
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__metric_auc(q, m) -%}
  {{- return(recall_duckdb.trino__metric_auc(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_auc(q, m) -%}
/* The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (
      SUM(is_relevant) + 1
    ) AS {{ recall_duckdb.type_double() }}) / 2
  ) / NULLIF(CAST(SUM(is_relevant) * (
    COUNT(*) - SUM(is_relevant)
  ) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score ASC) AS {{ recall_duckdb.type_double() }}) + CAST(COUNT(*) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score ASC
      RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) - 1 AS {{ recall_duckdb.type_double() }}) / 2 AS mean_rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS scored
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_auc(q, m) -%}
/* The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (
      SUM(is_relevant) + 1
    ) AS {{ recall_duckdb.type_double() }}) / 2
  ) / nullIf(CAST(SUM(is_relevant) * (
    COUNT(*) - SUM(is_relevant)
  ) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score ASC NULLS FIRST) AS {{ recall_duckdb.type_double() }}) + CAST(COUNT(*) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score ASC NULLS FIRST
      RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) - 1 AS {{ recall_duckdb.type_double() }}) / 2 AS mean_rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS scored
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro spark__metric_auc(q, m) -%}
  {{- return(recall_duckdb.bigquery__metric_auc(q, m)) -}}
{%- endmacro %}

{% macro postgres__metric_auc(q, m) -%}
  {{- return(recall_duckdb.trino__metric_auc(q, m)) -}}
{%- endmacro %}

{% macro redshift__metric_auc(q, m) -%}
/* The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST((
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (
      SUM(is_relevant) + 1
    ) AS {{ recall_duckdb.type_double() }}) / 2
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(SUM(is_relevant) * (
    COUNT(*) - SUM(is_relevant)
  ) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score ASC NULLS FIRST) AS {{ recall_duckdb.type_double() }}) + CAST(COUNT(*) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, score) - 1 AS {{ recall_duckdb.type_double() }}) / 2 AS mean_rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS scored
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro snowflake__metric_auc(q, m) -%}
/* The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  (
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (
      SUM(is_relevant) + 1
    ) AS {{ recall_duckdb.type_double() }}) / 2
  ) / NULLIF(CAST(SUM(is_relevant) * (
    COUNT(*) - SUM(is_relevant)
  ) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score ASC NULLS FIRST) AS {{ recall_duckdb.type_double() }}) + CAST(COUNT(*) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, score) - 1 AS {{ recall_duckdb.type_double() }}) / 2 AS mean_rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS scored
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro auc(
  run, qrels=none, mean=none, query='query', item='item', score='score', rank=none, relevance='relevance', model=none,
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  per_query=false, exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none,
  pairs=none, item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc',
  duplicates=none, nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('auc', none, {'mean': mean}), run, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, per_query=per_query, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -}}
{% endmacro %}

{% test auc_at_least(
  model, at_least, qrels=none, mean=none, query='query', item='item', score='score', rank=none, relevance='relevance',
  by=none, by_in='qrels', item_by=none, qrels_query=none, qrels_item=none, filter=none, qrels_filter=none,
  exclude=none, items=none, weights=none, training=none, obvious=none, catalog=none, features=none, pairs=none,
  item_slices=none, query_slices=none, no_relevant='zero', missing='zero', ties='item_desc', duplicates=none,
  nulls='last', precision='k', unjudged='keep', ranks=none, empty=none, ids='typed', order=none,
  semantics='trec_eval_10', depth=none, threshold=none, min_score=none, model_column=none
) %}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('auc', none, {'mean': mean}), model, qrels, query=query, item=item, score=score, rank=rank, relevance=relevance, model=model_column, by=by, by_in=by_in, item_by=item_by, qrels_query=qrels_query, qrels_item=qrels_item, filter=filter, qrels_filter=qrels_filter, exclude=exclude, items=items, weights=weights, training=training, obvious=obvious, catalog=catalog, features=features, pairs=pairs, item_slices=item_slices, query_slices=query_slices, no_relevant=no_relevant, missing=missing, ties=ties, duplicates=duplicates, nulls=nulls, precision=precision, unjudged=unjudged, ranks=ranks, empty=empty, ids=ids, order=order, semantics=semantics, depth=depth, threshold=threshold, min_score=min_score) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('auc', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
