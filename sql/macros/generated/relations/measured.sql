{# Written from sql/5_summary/measured.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_measured(q) %}
  {{- return(adapter.dispatch('relation_measured', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_measured(q) -%}
/* The values of all metrics, each as its file in 4_metrics defines it, in one pass over judged. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in [q.judging] %},
  CAST(MAX(relevant) AS BIGINT) AS {{ judging.relevant_items }}{% endfor %}{% for m in q.metrics if m.plain and m.judging == q.judging.number %},
  {{ recall_duckdb.metric(q, m) | trim | indent(2) }} AS {{ m.column }}_raw{% endfor %}
FROM {{ recall_duckdb.read(q, 'judged') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no{% endif %}
{%- endmacro %}

{% macro bigquery__relation_measured(q) -%}
/* The values of all metrics, each as its file in 4_metrics defines it, in one pass over judged. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in [q.judging] %},
  CAST(MAX(relevant) AS INT64) AS {{ judging.relevant_items }}{% endfor %}{% for m in q.metrics if m.plain and m.judging == q.judging.number %},
  {{ recall_duckdb.metric(q, m) | trim | indent(2) }} AS {{ m.column }}_raw{% endfor %}
FROM {{ recall_duckdb.read(q, 'judged') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no{% endif %}
{%- endmacro %}

{% macro clickhouse__relation_measured(q) -%}
/* The values of all metrics, each as its file in 4_metrics defines it, in one pass over judged. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in [q.judging] %},
  CAST(MAX(relevant) AS Nullable(Int64)) AS {{ judging.relevant_items }}{% endfor %}{% for m in q.metrics if m.plain and m.judging == q.judging.number %},
  {{ recall_duckdb.metric(q, m) | trim | indent(2) }} AS {{ m.column }}_raw{% endfor %}
FROM {{ recall_duckdb.read(q, 'judged') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no{% endif %}
{%- endmacro %}
