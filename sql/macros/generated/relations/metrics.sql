{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_metrics(q, m) %}
  {{- return(adapter.dispatch('relation_metrics', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__relation_metrics(q, m) -%}
SELECT
  {{ m.number }} AS metric_no,
  '{{ m.name }}' AS metric,
{%- if m.k is none %}
  CAST(NULL AS BIGINT) AS k
{%- else %}
  CAST({{ m.k }} AS BIGINT) AS k
{%- endif %}
{%- endmacro %}

{% macro bigquery__relation_metrics(q, m) -%}
SELECT
  {{ m.number }} AS metric_no,
  '{{ m.name }}' AS metric,
{%- if m.k is none %}
  CAST(NULL AS INT64) AS k
{%- else %}
  CAST({{ m.k }} AS INT64) AS k
{%- endif %}
{%- endmacro %}

{% macro clickhouse__relation_metrics(q, m) -%}
SELECT
  {{ m.number }} AS metric_no,
  '{{ m.name }}' AS metric,
{%- if m.k is none %}
  CAST(NULL AS Nullable(Int64)) AS k
{%- else %}
  CAST({{ m.k }} AS Nullable(Int64)) AS k
{%- endif %}
{%- endmacro %}
