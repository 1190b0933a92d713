{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro type_text() %}
  {{- return(adapter.dispatch('type_text', 'recall_duckdb')()) -}}
{% endmacro %}

{% macro default__type_text() -%}
TEXT
{%- endmacro %}

{% macro trino__type_text() -%}
VARCHAR
{%- endmacro %}

{% macro athena__type_text() -%}
  {{- return(recall_duckdb.trino__type_text()) -}}
{%- endmacro %}

{% macro bigquery__type_text() -%}
STRING
{%- endmacro %}

{% macro clickhouse__type_text() -%}
Nullable(String)
{%- endmacro %}

{% macro spark__type_text() -%}
  {{- return(recall_duckdb.bigquery__type_text()) -}}
{%- endmacro %}

{% macro redshift__type_text() -%}
VARCHAR(65535)
{%- endmacro %}

{% macro snowflake__type_text() -%}
  {{- return(recall_duckdb.trino__type_text()) -}}
{%- endmacro %}
