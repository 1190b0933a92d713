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
  run, qrels=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('auc', none, {'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test auc_at_least(
  model, at_least, qrels=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('auc', none, {'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('auc', none, {'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
