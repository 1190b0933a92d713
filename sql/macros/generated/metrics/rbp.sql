{# Written from sql/4_metrics/rbp.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro metric_rbp(q, m) %}
  {{- return(adapter.dispatch('metric_rbp', 'recall_duckdb')(q, m)) -}}
{% endmacro %}

{% macro default__metric_rbp(q, m) -%}
CAST(SUM(
  CAST(CASE
{%- if m.k is none %}
    WHEN rank BETWEEN 1 AND rank
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > MAX(relevant) THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- else %}
    WHEN rank BETWEEN 1 AND {{ m.k }}
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro trino__metric_rbp(q, m) -%}
CAST(SUM(
  CAST(CASE
{%- if m.k is none %}
    WHEN rank BETWEEN 1 AND rank
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  CAST((
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > MAX(relevant) THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- else %}
    WHEN rank BETWEEN 1 AND {{ m.k }}
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  CAST((
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro athena__metric_rbp(q, m) -%}
  {{- return(recall_duckdb.trino__metric_rbp(q, m)) -}}
{%- endmacro %}

{% macro bigquery__metric_rbp(q, m) -%}
CAST(SUM(
  CAST(CASE
{%- if m.k is none %}
    WHEN rank BETWEEN 1 AND rank
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > MAX(relevant) THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- else %}
    WHEN rank BETWEEN 1 AND {{ m.k }}
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  1 / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro clickhouse__metric_rbp(q, m) -%}
CAST(SUM(
  CAST(COALESCE(
    CASE
{%- if m.k is none %}
      WHEN rank BETWEEN 1 AND rank
{%- if m.gain == 'binary' %}
      THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) / nullIf(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > MAX(relevant) THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  1 / nullIf(
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
          THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  1 / nullIf(
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
          THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- else %}
      WHEN rank BETWEEN 1 AND {{ m.k }}
{%- if m.gain == 'binary' %}
      THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) / nullIf(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  1 / nullIf(
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
          THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
      THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
      ELSE 0
    END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    CAST(0 AS {{ recall_duckdb.type_double() }})
  ) AS Nullable(Decimal(38, 0)))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  1 / nullIf(
    CAST(SUM(
      CAST(COALESCE(
        CASE
          WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
          THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro postgres__metric_rbp(q, m) -%}
CAST(SUM(
  CAST(CAST(CASE
{%- if m.k is none %}
    WHEN rank BETWEEN 1 AND rank
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  CAST((
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > MAX(relevant) THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- else %}
    WHEN rank BETWEEN 1 AND {{ m.k }}
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  CAST((
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro redshift__metric_rbp(q, m) -%}
CAST(SUM(
  CAST(CASE
{%- if m.k is none %}
    WHEN rank BETWEEN 1 AND rank
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  CAST((
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > MAX(relevant) THEN NULL ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND ideal_rank
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- else %}
    WHEN rank BETWEEN 1 AND {{ m.k }}
{%- if m.gain == 'binary' %}
    THEN CAST(is_relevant AS {{ recall_duckdb.type_double() }}) * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
{%- else %}
  CAST((
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) AS {{ recall_duckdb.type_double() }}) / NULLIF(
    1 - POWER(
      CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}),
      CAST(CASE WHEN MAX(relevant) > {{ m.k }} THEN {{ m.k }} ELSE MAX(relevant) END AS {{ recall_duckdb.type_double() }})
    ),
    0
  )
{%- endif %}
)
{%- elif m.gain == 'linear' %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
{%- if m.over == 'nothing' %}
  (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
{%- else %}
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
{%- endif %}
)
{%- else %}
    THEN CASE
      WHEN gain > 0
      THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
      ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
    END * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(rank - 1 AS {{ recall_duckdb.type_double() }}))
    ELSE 0
  END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
{%- if m.over == 'nothing' %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * CASE
  WHEN (
    MAX(top_gain) < 1
  )
  THEN (
    1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
  ) * MAX(top_gain)
  ELSE 1 - CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }})
END
{%- else %}
) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * (
  CAST(1 AS {{ recall_duckdb.type_double() }}) / NULLIF(
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0 AND ideal_rank BETWEEN 1 AND {{ m.k }}
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain * POWER(CAST('{{ m.p }}' AS {{ recall_duckdb.type_double() }}), CAST(ideal_rank - 1 AS {{ recall_duckdb.type_double() }}))
        ELSE 0
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
    0
  )
)
{%- endif %}
{%- endif %}
{%- endif %}
{%- endmacro %}

{% macro rbp_at_k(
  run, qrels=none, k=10, p=none, gain=none, over=none, mean=none
) %}
  {{- recall_duckdb.evaluate(recall_duckdb.metric_name('rbp', k, {'p': p, 'gain': gain, 'over': over, 'mean': mean}), run, qrels, **kwargs) -}}
{% endmacro %}

{% test rbp_at_k_at_least(
  model, at_least, qrels=none, k=10, p=none, gain=none, over=none, mean=none, by=none, filter=none, model_column=none
) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set means = recall_duckdb.evaluate(recall_duckdb.metric_name('rbp', k, {'p': p, 'gain': gain, 'over': over, 'mean': mean}), model, qrels, by=by, filter=filter, model=model_column, per_query=false, **kwargs) -%}
  {{- recall_duckdb.means_at_least(means, recall_duckdb.metric_name('rbp', k, {'p': p, 'gain': gain, 'over': over, 'mean': mean}), at_least, by, model, filter) -}}
{% endtest %}
