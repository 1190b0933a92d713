{# Written from sql/4_metrics/novelty.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_novelty(q, m) %}
  {{- return(adapter.dispatch('metric_novelty', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_novelty(q, m) -%}
/* How unfamiliar the items in the top k are: the mean of -log2 of their popularity in the training data. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(LN(
      CAST(training_queries AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN holders > 0 THEN holders ELSE 1 END AS {{ recall_duckdb.type_double() }})
    ) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
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

{% macro trino__metric_novelty(q, m) -%}
/* How unfamiliar the items in the top k are: the mean of -log2 of their popularity in the training data. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CAST(LN(
      CAST(training_queries AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN holders > 0 THEN holders ELSE 1 END AS {{ recall_duckdb.type_double() }})
    ) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
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

{% macro athena__metric_novelty(q, m) -%}
  {{- return(recall_duckdb.trino__metric_novelty(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_novelty(q, m) -%}
/* How unfamiliar the items in the top k are: the mean of -log2 of their popularity in the training data. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(LN(
      CAST(training_queries AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN holders > 0 THEN holders ELSE 1 END AS {{ recall_duckdb.type_double() }})
    ) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
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

{% macro clickhouse__metric_novelty(q, m) -%}
/* How unfamiliar the items in the top k are: the mean of -log2 of their popularity in the training data. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(COALESCE(
      LN(
        CAST(training_queries AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN holders > 0 THEN holders ELSE 1 END AS {{ recall_duckdb.type_double() }})
      ) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
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

{% macro postgres__metric_novelty(q, m) -%}
/* How unfamiliar the items in the top k are: the mean of -log2 of their popularity in the training data. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CAST(CAST(LN(
      CAST(training_queries AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN holders > 0 THEN holders ELSE 1 END AS {{ recall_duckdb.type_double() }})
    ) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / CAST(COUNT(*) AS {{ recall_duckdb.type_double() }}) AS {{ m.column }}_raw
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

{% macro redshift__metric_novelty(q, m) -%}
  {{- return(recall_duckdb.trino__metric_novelty(q, m)) -}}
{%- endmacro %}

{% macro novelty_at_k(
  run, qrels=none, k=10, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('novelty', k, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test novelty_at_k_at_least(
  model, at_least, qrels=none, k=10, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('novelty', k, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('novelty', k, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
