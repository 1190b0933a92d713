{# Written from sql/4_metrics/pair_diversity.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_pair_diversity(q, m) %}
  {{- return(adapter.dispatch('metric_pair_diversity', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_pair_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean similarity over all pairs of items, as given in `pairs`. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  1 - CAST(SUM(
    CAST(COALESCE(similarity, 0) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
INNER JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS other,
    rank AS other_rank
  FROM {{ recall_duckdb.read(q, 'shown') }}
) AS others
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
LEFT JOIN {{ recall_duckdb.read(q, 'similarities') }}
  USING (item, other)
WHERE
  rank < other_rank AND other_rank BETWEEN 1 AND {{ m.k or 'other_rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro bigquery__metric_pair_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean similarity over all pairs of items, as given in `pairs`. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  1 - CAST(SUM(
    CAST(COALESCE(similarity, 0) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
INNER JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS other,
    rank AS other_rank
  FROM {{ recall_duckdb.read(q, 'shown') }}
) AS others
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
LEFT JOIN {{ recall_duckdb.read(q, 'similarities') }}
  USING (item, other)
WHERE
  rank < other_rank AND other_rank BETWEEN 1 AND {{ m.k or 'other_rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_pair_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean similarity over all pairs of items, as given in `pairs`. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  1 - CAST(SUM(
    CAST(COALESCE(
      COALESCE(similarity, 0) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
INNER JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS other,
    rank AS other_rank
  FROM {{ recall_duckdb.read(q, 'shown') }}
) AS others
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
LEFT JOIN {{ recall_duckdb.read(q, 'similarities') }}
  USING (item, other)
WHERE
  rank < other_rank AND other_rank BETWEEN 1 AND {{ m.k or 'other_rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_pair_diversity(q, m) -%}
/* How dissimilar the items in the top k are: one minus the mean similarity over all pairs of items, as given in `pairs`. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  1 - CAST(SUM(
    CAST(CAST(COALESCE(similarity, 0) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(70 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
FROM {{ recall_duckdb.read(q, 'shown') }}
INNER JOIN (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS other,
    rank AS other_rank
  FROM {{ recall_duckdb.read(q, 'shown') }}
) AS others
  USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
LEFT JOIN {{ recall_duckdb.read(q, 'similarities') }}
  USING (item, other)
WHERE
  rank < other_rank AND other_rank BETWEEN 1 AND {{ m.k or 'other_rank' }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__metric_pair_diversity(q, m) -%}
  {{- return(recall_duckdb.default__metric_pair_diversity(q, m)) -}}
{%- endmacro %}

{% macro pair_diversity_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('pair_diversity', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test pair_diversity_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('pair_diversity', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('pair_diversity', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
