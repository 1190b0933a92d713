{# What adapters write differently: names of types and a few functions. All other SQL of the package is the same everywhere. #}
{% macro type_double() %}{{- return(adapter.dispatch('type_double', 'recall_duckdb')()) -}}{% endmacro %}
{% macro default__type_double() %}{{- return('DOUBLE') -}}{% endmacro %}
{% macro bigquery__type_double() %}{{- return('FLOAT64') -}}{% endmacro %}
{% macro clickhouse__type_double() %}{{- return('Nullable(Float64)') -}}{% endmacro %}
{% macro postgres__type_double() %}{{- return('DOUBLE PRECISION') -}}{% endmacro %}

{% macro type_text() %}{{- return(adapter.dispatch('type_text', 'recall_duckdb')()) -}}{% endmacro %}
{% macro default__type_text() %}{{- return('VARCHAR') -}}{% endmacro %}
{% macro bigquery__type_text() %}{{- return('STRING') -}}{% endmacro %}
{% macro clickhouse__type_text() %}{{- return('Nullable(String)') -}}{% endmacro %}
{% macro redshift__type_text() %}{{- return('VARCHAR(65535)') -}}{% endmacro %}
{% macro spark__type_text() %}{{- return('STRING') -}}{% endmacro %}

{# A number of the user as a double; NULL instead of NaN, which most engines rank first. #}
{% macro number(x) %}{{- return(adapter.dispatch('number', 'recall_duckdb')(x)) -}}{% endmacro %}
{% macro default__number(x) %}
  {%- set double = recall_duckdb.type_double() -%}
  {{- return('NULLIF(CAST(' ~ x ~ ' AS ' ~ double ~ "), CAST('NaN' AS " ~ double ~ '))') -}}
{% endmacro %}
{% macro bigquery__number(x) %}{{- return('IF(IS_NAN(CAST(' ~ x ~ ' AS FLOAT64)), NULL, CAST(' ~ x ~ ' AS FLOAT64))') -}}{% endmacro %}
{% macro clickhouse__number(x) %}
  {{- return('if(isNaN(CAST(' ~ x ~ ' AS Nullable(Float64))), NULL, CAST(' ~ x ~ ' AS Nullable(Float64)))') -}}
{% endmacro %}
{% macro trino__number(x) %}{{- return('IF(IS_NAN(CAST(' ~ x ~ ' AS DOUBLE)), NULL, CAST(' ~ x ~ ' AS DOUBLE))') -}}{% endmacro %}
{% macro athena__number(x) %}{{- return(recall_duckdb.trino__number(x)) -}}{% endmacro %}

{# A value that is NULL where an outer join finds no match: ClickHouse fills other columns with 0 or ''. #}
{% macro nullable(x) %}{{- return(adapter.dispatch('nullable', 'recall_duckdb')(x)) -}}{% endmacro %}
{% macro default__nullable(x) %}{{- return(x) -}}{% endmacro %}
{% macro clickhouse__nullable(x) %}{{- return('toNullable(' ~ x ~ ')') -}}{% endmacro %}
{% macro no_cutoff() %}{{- return('CAST(NULL AS ' ~ ('Nullable(BIGINT)' if adapter.type() == 'clickhouse' else 'BIGINT') ~ ')') -}}{% endmacro %}
