{# Written from sql/2_ranking/ranked/pessimistic.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_ranked_pessimistic(q) %}
  {{- return(adapter.dispatch('relation_ranked_pessimistic', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_ranked_pessimistic(q) -%}
/* The top of every query's list by score, highest first. Of equal scores the least relevant item comes first, which gives the worst possible number. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.min_score is none %}
  1
  {%- else %}
  {%- if recall_duckdb.as_float(q.min_score) is none %}
  CASE WHEN (
    score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
  ) THEN 1 ELSE 0 END
  {%- else %}
  CASE
    WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN 1
    ELSE 0
  END
  {%- endif %}
  {%- endif %} AS is_recommended,
  ROW_NUMBER() OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC
  ) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- if q.depth is not none %}
QUALIFY
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro trino__relation_ranked_pessimistic(q) -%}
/* The top of every query's list by score, highest first. Of equal scores the least relevant item comes first, which gives the worst possible number. */
SELECT
{%- if q.depth is none %}
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.min_score is none %}
  1
  {%- else %}
  {%- if recall_duckdb.as_float(q.min_score) is none %}
  CASE WHEN (
    score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
  ) THEN 1 ELSE 0 END
  {%- else %}
  CASE
    WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN 1
    ELSE 0
  END
  {%- endif %}
  {%- endif %} AS is_recommended,
  ROW_NUMBER() OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC
  ) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- else %}
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item,
  is_recommended,
  rank
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    {%- if q.min_score is none %}
    1
    {%- else %}
    {%- if recall_duckdb.as_float(q.min_score) is none %}
    CASE WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
    ) THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN (
        score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %}
    {%- endif %} AS is_recommended,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC
    ) AS rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS ranked_t
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro athena__relation_ranked_pessimistic(q) -%}
  {{- return(recall_duckdb.trino__relation_ranked_pessimistic(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_ranked_pessimistic(q) -%}
/* The top of every query's list by score, highest first. Of equal scores the least relevant item comes first, which gives the worst possible number. */
SELECT
{%- if q.depth is none %}
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.min_score is none %}
  1
  {%- else %}
  {%- if recall_duckdb.as_float(q.min_score) is none %}
  CASE WHEN (
    score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
  ) THEN 1 ELSE 0 END
  {%- else %}
  CASE
    WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN 1
    ELSE 0
  END
  {%- endif %}
  {%- endif %} AS is_recommended,
  ROW_NUMBER() OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC, item DESC
  ) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- else %}
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item,
  is_recommended,
  rank
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    {%- if q.min_score is none %}
    1
    {%- else %}
    {%- if recall_duckdb.as_float(q.min_score) is none %}
    CASE WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
    ) THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN (
        score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %}
    {%- endif %} AS is_recommended,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC, item DESC
    ) AS rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS ranked_t
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro clickhouse__relation_ranked_pessimistic(q) -%}
/* The top of every query's list by score, highest first. Of equal scores the least relevant item comes first, which gives the worst possible number. */
SELECT
{%- if q.depth is none %}
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.min_score is none %}
  1
  {%- else %}
  {%- if recall_duckdb.as_float(q.min_score) is none %}
  CASE WHEN (
    score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
  ) THEN 1 ELSE 0 END
  {%- else %}
  CASE
    WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
      OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN 1
    ELSE 0
  END
  {%- endif %}
  {%- endif %} AS is_recommended,
  ROW_NUMBER() OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC
  ) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- else %}
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item,
  is_recommended,
  rank
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    {%- if q.min_score is none %}
    1
    {%- else %}
    {%- if recall_duckdb.as_float(q.min_score) is none %}
    CASE WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
    ) THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN (
        score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
        OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %}
    {%- endif %} AS is_recommended,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score DESC, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC
    ) AS rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS ranked_t
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro spark__relation_ranked_pessimistic(q) -%}
  {{- return(recall_duckdb.bigquery__relation_ranked_pessimistic(q)) -}}
{%- endmacro %}

{% macro postgres__relation_ranked_pessimistic(q) -%}
/* The top of every query's list by score, highest first. Of equal scores the least relevant item comes first, which gives the worst possible number. */
SELECT
{%- if q.depth is none %}
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.min_score is none %}
  1
  {%- else %}
  {%- if recall_duckdb.as_float(q.min_score) is none %}
  CASE WHEN (
    score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
  ) THEN 1 ELSE 0 END
  {%- else %}
  CASE
    WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
      OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN 1
    ELSE 0
  END
  {%- endif %}
  {%- endif %} AS is_recommended,
  ROW_NUMBER() OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    ORDER BY score DESC NULLS LAST, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC NULLS LAST
  ) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- else %}
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item,
  is_recommended,
  rank
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    {%- if q.min_score is none %}
    1
    {%- else %}
    {%- if recall_duckdb.as_float(q.min_score) is none %}
    CASE WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
    ) THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN (
        score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
        OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %}
    {%- endif %} AS is_recommended,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score DESC NULLS LAST, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC NULLS LAST
    ) AS rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS ranked_t
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}

{% macro snowflake__relation_ranked_pessimistic(q) -%}
/* The top of every query's list by score, highest first. Of equal scores the least relevant item comes first, which gives the worst possible number. */
SELECT
{%- if q.depth is none %}
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  {%- if q.min_score is none %}
  1
  {%- else %}
  {%- if recall_duckdb.as_float(q.min_score) is none %}
  CASE WHEN (
    score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
  ) THEN 1 ELSE 0 END
  {%- else %}
  CASE
    WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
    )
    THEN 1
    ELSE 0
  END
  {%- endif %}
  {%- endif %} AS is_recommended,
  ROW_NUMBER() OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
    ORDER BY score DESC NULLS LAST, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC NULLS LAST
  ) AS rank
FROM {{ recall_duckdb.read(q, 'candidates') }}
LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
{%- else %}
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item,
  is_recommended,
  rank
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    {%- if q.min_score is none %}
    1
    {%- else %}
    {%- if recall_duckdb.as_float(q.min_score) is none %}
    CASE WHEN (
      score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }})
    ) THEN 1 ELSE 0 END
    {%- else %}
    CASE
      WHEN (
        score >= CAST('{{ q.min_score }}' AS {{ recall_duckdb.type_double() }}) OR score = CAST('{{ recall_duckdb.as_float(q.min_score) }}' AS {{ recall_duckdb.type_double() }})
      )
      THEN 1
      ELSE 0
    END
    {%- endif %}
    {%- endif %} AS is_recommended,
    ROW_NUMBER() OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
      ORDER BY score DESC NULLS LAST, CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST, item DESC NULLS LAST
    ) AS rank
  FROM {{ recall_duckdb.read(q, 'candidates') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'qrels') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
) AS ranked_t
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endmacro %}
