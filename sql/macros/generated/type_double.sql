{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro type_double() %}
  {{- return(adapter.dispatch('type_double', 'recall_duckdb')()) -}}
{% endmacro %}

{% macro default__type_double() -%}
DOUBLE
{%- endmacro %}

{% macro bigquery__type_double() -%}
FLOAT64
{%- endmacro %}

{% macro clickhouse__type_double() -%}
Nullable(Float64)
{%- endmacro %}

{% macro postgres__type_double() -%}
DOUBLE PRECISION
{%- endmacro %}
