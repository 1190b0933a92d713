{# Written from sql/4_metrics/partial_auc.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_partial_auc(q, m) %}
  {{- return(adapter.dispatch('metric_partial_auc', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_partial_auc(q, m) -%}
CAST(SUM(
  CASE
{%- if m.k is none %}
{%- if m.over == 'relevant' %}
    WHEN is_relevant = 1 AND rank - hits < NULL
    THEN NULL - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) * CAST(NULL AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
    WHEN is_relevant = 1 AND rank - hits < NULL AND hits <= NULL
    THEN NULL - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(CASE WHEN MAX(relevant) > NULL THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}) * CAST(NULL AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- else %}
{%- if m.over == 'relevant' %}
    WHEN is_relevant = 1 AND rank - hits < {{ m.k }}
    THEN {{ m.k }} - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) * CAST({{ m.k }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
    WHEN is_relevant = 1 AND rank - hits < {{ m.k }} AND hits <= {{ m.k }}
    THEN {{ m.k }} - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / NULLIF(
  CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}) * CAST({{ m.k }} AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro clickhouse__metric_partial_auc(q, m) -%}
CAST(SUM(
  CASE
{%- if m.k is none %}
{%- if m.over == 'relevant' %}
    WHEN is_relevant = 1 AND rank - hits < NULL
    THEN NULL - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) * CAST(NULL AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
    WHEN is_relevant = 1 AND rank - hits < NULL AND hits <= NULL
    THEN NULL - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / nullIf(
  CAST(CASE WHEN MAX(relevant) > NULL THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}) * CAST(NULL AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- else %}
{%- if m.over == 'relevant' %}
    WHEN is_relevant = 1 AND rank - hits < {{ m.k }}
    THEN {{ m.k }} - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(MAX(relevant) AS {{ recall_duckdb.type_double() }}) * CAST({{ m.k }} AS {{ recall_duckdb.type_double() }}), 0)
{%- else %}
    WHEN is_relevant = 1 AND rank - hits < {{ m.k }} AND hits <= {{ m.k }}
    THEN {{ m.k }} - (
      rank - hits
    )
    ELSE 0
  END
) AS {{ recall_duckdb.type_double() }}) / nullIf(
  CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }}) * CAST({{ m.k }} AS {{ recall_duckdb.type_double() }}),
  0
)
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro partial_auc_at_k(
  run, qrels=none, k=10, over=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('partial_auc', k, {'over': over, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test partial_auc_at_k_at_least(
  model, at_least, qrels=none, k=10, over=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('partial_auc', k, {'over': over, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('partial_auc', k, {'over': over, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
