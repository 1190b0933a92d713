{# Written from sql/1_inputs/source.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_source(q, source) %}
  {{- return(adapter.dispatch('relation_source', 'recall_duckdb')(q, source)) -}}
{% endmacro %}

{% macro default__relation_source(q, source) -%}
/* The user's relation under canonical names. */
SELECT
  {% for name in source.names %}{{ name.expression }} AS {{ name.column }}{{ ', ' if not loop.last }}{% endfor %}{% for number in source.numbers %},
  CASE
    WHEN ISNAN(UNION_EXTRACT(UNION_VALUE(x := CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})), 'x'))
    THEN NULL
    ELSE CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})
  END AS {{ number.column }}{% endfor %}{% for extra in source.extras %},
  {{ extra.expression }} AS {{ extra.column }}{% endfor %}
FROM {{ source.relation }}
{%- if q.nulls == 'drop' %}
WHERE
  {% for name in source.names %}NOT {{ name.expression }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}{% for number in source.numbers %} AND NOT {{ number.expression }} IS NULL{% endfor %}{% for number in source.numbers %} AND NOT ISNAN(UNION_EXTRACT(UNION_VALUE(x := CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})), 'x')){% endfor %}
{%- endif %}
{%- endmacro %}

{% macro trino__relation_source(q, source) -%}
/* The user's relation under canonical names. */
SELECT
  {% for name in source.names %}{{ name.expression }} AS {{ name.column }}{{ ', ' if not loop.last }}{% endfor %}{% for number in source.numbers %},
  CASE
    WHEN IS_NAN(CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }}))
    THEN NULL
    ELSE CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})
  END AS {{ number.column }}{% endfor %}{% for extra in source.extras %},
  {{ extra.expression }} AS {{ extra.column }}{% endfor %}
FROM {{ source.relation }}
{%- if q.nulls == 'drop' %}
WHERE
  {% for name in source.names %}NOT {{ name.expression }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}{% for number in source.numbers %} AND NOT {{ number.expression }} IS NULL{% endfor %}{% for number in source.numbers %} AND NOT IS_NAN(CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})){% endfor %}
{%- endif %}
{%- endmacro %}

{% macro athena__relation_source(q, source) -%}
  {{- return(recall_duckdb.trino__relation_source(q, source)) -}}
{%- endmacro %}

{% macro bigquery__relation_source(q, source) -%}
  {{- return(recall_duckdb.trino__relation_source(q, source)) -}}
{%- endmacro %}

{% macro clickhouse__relation_source(q, source) -%}
/* The user's relation under canonical names. */
SELECT
  {% for name in source.names %}{{ name.expression }} AS {{ name.column }}{{ ', ' if not loop.last }}{% endfor %}{% for number in source.numbers %},
  CASE
    WHEN isNaN(CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }}))
    THEN NULL
    ELSE CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})
  END AS {{ number.column }}{% endfor %}{% for extra in source.extras %},
  {{ extra.expression }} AS {{ extra.column }}{% endfor %}
FROM {{ source.relation }}
{%- if q.nulls == 'drop' %}
WHERE
  {% for name in source.names %}NOT (
    {{ name.expression }} IS NULL
  ){{ ' AND ' if not loop.last }}{% endfor %}{% for number in source.numbers %} AND NOT (
  {{ number.expression }} IS NULL
){% endfor %}{% for number in source.numbers %} AND NOT isNaN(CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})){% endfor %}
{%- endif %}
{%- endmacro %}

{% macro spark__relation_source(q, source) -%}
/* The user's relation under canonical names. */
SELECT
  {% for name in source.names %}{{ name.expression }} AS {{ name.column }}{{ ', ' if not loop.last }}{% endfor %}{% for number in source.numbers %},
  CASE
    WHEN ISNAN(CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }}))
    THEN NULL
    ELSE CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})
  END AS {{ number.column }}{% endfor %}{% for extra in source.extras %},
  {{ extra.expression }} AS {{ extra.column }}{% endfor %}
FROM {{ source.relation }}
{%- if q.nulls == 'drop' %}
WHERE
  {% for name in source.names %}NOT {{ name.expression }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}{% for number in source.numbers %} AND NOT {{ number.expression }} IS NULL{% endfor %}{% for number in source.numbers %} AND NOT ISNAN(CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})){% endfor %}
{%- endif %}
{%- endmacro %}

{% macro postgres__relation_source(q, source) -%}
/* The user's relation under canonical names. */
SELECT
  {% for name in source.names %}{{ name.expression }} AS {{ name.column }}{{ ', ' if not loop.last }}{% endfor %}{% for number in source.numbers %},
  CASE
    WHEN CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }}) = CAST('NaN' AS {{ recall_duckdb.type_double() }})
    THEN NULL
    ELSE CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }})
  END AS {{ number.column }}{% endfor %}{% for extra in source.extras %},
  {{ extra.expression }} AS {{ extra.column }}{% endfor %}
FROM {{ source.relation }}
{%- if q.nulls == 'drop' %}
WHERE
  {% for name in source.names %}NOT {{ name.expression }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}{% for number in source.numbers %} AND NOT {{ number.expression }} IS NULL{% endfor %}{% for number in source.numbers %} AND NOT CAST({{ number.expression }} AS {{ recall_duckdb.type_double() }}) = CAST('NaN' AS {{ recall_duckdb.type_double() }}){% endfor %}
{%- endif %}
{%- endmacro %}

{% macro snowflake__relation_source(q, source) -%}
  {{- return(recall_duckdb.postgres__relation_source(q, source)) -}}
{%- endmacro %}
