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
  run, qrels=none, k=10
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('overlap', k, {}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test overlap_at_k_at_least(
  model, at_least, qrels=none, k=10, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('overlap', k, {}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('overlap', k, {}), at_least, by, model, filter) -}}
{% endtest %}
