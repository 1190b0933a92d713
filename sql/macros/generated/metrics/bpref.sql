{# Written from sql/4_metrics/bpref.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_bpref(q, m) %}
  {{- return(adapter.dispatch('metric_bpref', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_bpref(q, m) -%}
/* How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank above the relevant item. A relevant item that is not retrieved counts as 0. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN above = 0
      THEN 1
      ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS non_relevant
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS compared
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro trino__metric_bpref(q, m) -%}
/* How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank above the relevant item. A relevant item that is not retrieved counts as 0. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN above = 0
      THEN 1
      ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS non_relevant
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS compared
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro athena__metric_bpref(q, m) -%}
  {{- return(recall_duckdb.trino__metric_bpref(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_bpref(q, m) -%}
/* How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank above the relevant item. A relevant item that is not retrieved counts as 0. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN above = 0
      THEN 1
      ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS non_relevant
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS compared
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__metric_bpref(q, m) -%}
/* How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank above the relevant item. A relevant item that is not retrieved counts as 0. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(COALESCE(
      CASE
        WHEN is_relevant = 0 OR rank IS NULL
        THEN 0
        WHEN above = 0
        THEN 1
        ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS {{ recall_duckdb.type_double() }})
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
      CAST(0 AS {{ recall_duckdb.type_double() }})
    ) AS Nullable(Decimal(38, 0)))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS non_relevant
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS compared
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro spark__metric_bpref(q, m) -%}
/* How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank above the relevant item. A relevant item that is not retrieved counts as 0. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(SUM(
    CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN above = 0
      THEN 1
      ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC, rank ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS non_relevant
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS compared
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro postgres__metric_bpref(q, m) -%}
/* How rarely items judged non-relevant rank above relevant ones: the mean, over all R relevant items, of 1 - min(above, R) / min(N, R). N is the number of items judged non-relevant, and above is how many of them rank above the relevant item. A relevant item that is not retrieved counts as 0. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  CAST(CAST(SUM(
    CAST(CAST(CASE
      WHEN is_relevant = 0 OR rank IS NULL
      THEN 0
      WHEN above = 0
      THEN 1
      ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ recall_duckdb.type_double() }}) / CAST(CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
  ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    rank AS rank,
    is_relevant AS is_relevant,
    relevant AS relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END) OVER (PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS non_relevant
  FROM {{ recall_duckdb.read(q, 'judged') }}
) AS compared
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro redshift__metric_bpref(q, m) -%}
  {{- return(recall_duckdb.trino__metric_bpref(q, m)) -}}
{%- endmacro %}

{% macro bpref(
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('bpref', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test bpref_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('bpref', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('bpref', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
