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
  run, qrels=none, k=10
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('gini', k, {}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test gini_at_k_at_least(
  model, at_least, qrels=none, k=10, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('gini', k, {}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('gini', k, {}), at_least, by, model, filter) -}}
{% endtest %}
