{# Written from sql/5_summary/per_query.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_per_query(q) %}
  {{- return(adapter.dispatch('relation_per_query', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_per_query(q) -%}
/* The value of every metric for every judged query, with the policies for undefined values. */
SELECT
{%- if q.models %}
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
  {% if q.item_sliced %}CASE WHEN item_slice_no > 0 THEN item_{{ slice.column }} END{% else %}{{ slice.column }}{% endif %} AS {{ slice.column }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in q.judgings %},
  {{ judging.relevant_items }} AS {{ judging.relevant }}{% endfor %},
  COALESCE(candidates, 0) AS retrieved,
  repeated_item AS repeated_item,
  run_queries AS run_queries{% if q.has_weights %},
  query_weight AS query_weight{% endif %}{% for m in q.metrics %},
  {%- if q.item_sliced %}
  CASE
    WHEN item_slice_no > 0 AND {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.no_relevant == 'skip' %}
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %}
  END
  {%- else %}
  {%- if q.no_relevant == 'skip' %}
  {%- if q.missing == 'skip' %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  END
  {%- else %}
  {%- if m.empty == 'skip' %}
  CASE WHEN {{ q.judgings[m.judging].relevant_items }} = 0 THEN NULL ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}) END
  {%- else %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  END
  {%- endif %}
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
  {%- if m.empty == 'skip' %}
  CASE WHEN COALESCE(candidates, 0) = 0 THEN NULL ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}) END
  {%- else %}
  CASE
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  END
  {%- endif %}
  {%- else %}
  {% if m.empty == 'skip' %}CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}){% else %}COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0){% endif %}
  {%- endif %}
  {%- endif %}
  {%- endif %} AS {{ m.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'measured') }}
INNER JOIN {{ recall_duckdb.read(q, 'models') }}
  USING (model)
LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
  USING (model{% for query in q.queries %}, {{ query.column }}{% endfor %}){% if q.query_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'slices') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% if q.item_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'numbered_slices') }}
  USING (item_slice_no){% endif %}{% if q.has_weights %}
LEFT JOIN {{ recall_duckdb.read(q, 'weighted') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% for judging in q.judgings[1:] %}
INNER JOIN {{ recall_duckdb.read(q, judging.measured) }}
  USING (model{% for query in q.queries %}, {{ query.column }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}){% endfor %}{% for m in q.metrics if not m.plain and not m.whole_run %}
LEFT JOIN {{ recall_duckdb.read(q, m.column) }}
  USING (model{% for query in q.queries %}, {{ query.column }}{% endfor %}){% endfor %}{% for m in q.metrics if not m.plain and m.whole_run %}
LEFT JOIN {{ recall_duckdb.read(q, m.column) }}
  USING (model){% endfor %}
{%- else %}
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  {% if q.item_sliced %}CASE WHEN item_slice_no > 0 THEN item_{{ slice.column }} END{% else %}{{ slice.column }}{% endif %} AS {{ slice.column }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in q.judgings %},
  {{ judging.relevant_items }} AS {{ judging.relevant }}{% endfor %},
  COALESCE(candidates, 0) AS retrieved,
  repeated_item AS repeated_item,
  run_queries AS run_queries{% if q.has_weights %},
  query_weight AS query_weight{% endif %}{% for m in q.metrics %},
  {%- if q.item_sliced %}
  CASE
    WHEN item_slice_no > 0 AND {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.no_relevant == 'skip' %}
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %}
  END
  {%- else %}
  {%- if q.no_relevant == 'skip' %}
  {%- if q.missing == 'skip' %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  END
  {%- else %}
  {%- if m.empty == 'skip' %}
  CASE WHEN {{ q.judgings[m.judging].relevant_items }} = 0 THEN NULL ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}) END
  {%- else %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  END
  {%- endif %}
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
  {%- if m.empty == 'skip' %}
  CASE WHEN COALESCE(candidates, 0) = 0 THEN NULL ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}) END
  {%- else %}
  CASE
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  END
  {%- endif %}
  {%- else %}
  {% if m.empty == 'skip' %}CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}){% else %}COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0){% endif %}
  {%- endif %}
  {%- endif %}
  {%- endif %} AS {{ m.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'measured') }}
CROSS JOIN {{ recall_duckdb.read(q, 'models') }}
LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% if q.query_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'slices') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% if q.item_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'numbered_slices') }}
  USING (item_slice_no){% endif %}{% if q.has_weights %}
LEFT JOIN {{ recall_duckdb.read(q, 'weighted') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% for judging in q.judgings[1:] %}
INNER JOIN {{ recall_duckdb.read(q, judging.measured) }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}){% endfor %}{% for m in q.metrics if not m.plain and not m.whole_run %}
LEFT JOIN {{ recall_duckdb.read(q, m.column) }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endfor %}{% for m in q.metrics if not m.plain and m.whole_run %}
CROSS JOIN {{ recall_duckdb.read(q, m.column) }}{% endfor %}
{%- endif %}
{%- endmacro %}

{% macro clickhouse__relation_per_query(q) -%}
/* The value of every metric for every judged query, with the policies for undefined values. */
SELECT
{%- if q.models %}
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
  {% if q.item_sliced %}CASE WHEN item_slice_no > 0 THEN item_{{ slice.column }} END{% else %}{{ slice.column }}{% endif %} AS {{ slice.column }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in q.judgings %},
  {{ judging.relevant_items }} AS {{ judging.relevant }}{% endfor %},
  COALESCE(candidates, 0) AS retrieved,
  repeated_item AS repeated_item,
  run_queries AS run_queries{% if q.has_weights %},
  query_weight AS query_weight{% endif %}{% for m in q.metrics %},
  {%- if q.item_sliced %}
  CASE
    WHEN item_slice_no > 0 AND {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.no_relevant == 'skip' %}
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %}
  END
  {%- else %}
  {%- if q.no_relevant == 'skip' %}
  {%- if q.missing == 'skip' %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  END
  {%- else %}
  {%- if m.empty == 'skip' %}
  CASE WHEN {{ q.judgings[m.judging].relevant_items }} = 0 THEN NULL ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}) END
  {%- else %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  END
  {%- endif %}
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
  CASE
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  END
  {%- else %}
  {% if m.empty == 'skip' %}CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}){% else %}COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0){% endif %}
  {%- endif %}
  {%- endif %}
  {%- endif %} AS {{ m.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'measured') }}
INNER JOIN {{ recall_duckdb.read(q, 'models') }}
  USING (model)
LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
  USING (model{% for query in q.queries %}, {{ query.column }}{% endfor %}){% if q.query_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'slices') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% if q.item_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'numbered_slices') }}
  USING (item_slice_no){% endif %}{% if q.has_weights %}
LEFT JOIN {{ recall_duckdb.read(q, 'weighted') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% for judging in q.judgings[1:] %}
INNER JOIN {{ recall_duckdb.read(q, judging.measured) }}
  USING (model{% for query in q.queries %}, {{ query.column }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}){% endfor %}{% for m in q.metrics if not m.plain and not m.whole_run %}
LEFT JOIN {{ recall_duckdb.read(q, m.column) }}
  USING (model{% for query in q.queries %}, {{ query.column }}{% endfor %}){% endfor %}{% for m in q.metrics if not m.plain and m.whole_run %}
LEFT JOIN {{ recall_duckdb.read(q, m.column) }}
  USING (model){% endfor %}
{%- else %}
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  {% if q.item_sliced %}CASE WHEN item_slice_no > 0 THEN item_{{ slice.column }} END{% else %}{{ slice.column }}{% endif %} AS {{ slice.column }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %}{% for judging in q.judgings %},
  {{ judging.relevant_items }} AS {{ judging.relevant }}{% endfor %},
  COALESCE(candidates, 0) AS retrieved,
  repeated_item AS repeated_item,
  run_queries AS run_queries{% if q.has_weights %},
  query_weight AS query_weight{% endif %}{% for m in q.metrics %},
  {%- if q.item_sliced %}
  CASE
    WHEN item_slice_no > 0 AND {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.no_relevant == 'skip' %}
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- endif %}
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  {%- endif %}
  END
  {%- else %}
  {%- if q.no_relevant == 'skip' %}
  {%- if q.missing == 'skip' %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  END
  {%- else %}
  {%- if m.empty == 'skip' %}
  CASE WHEN {{ q.judgings[m.judging].relevant_items }} = 0 THEN NULL ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}) END
  {%- else %}
  CASE
    WHEN {{ q.judgings[m.judging].relevant_items }} = 0
    THEN NULL
    WHEN COALESCE(candidates, 0) > 0
    THEN CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  END
  {%- endif %}
  {%- endif %}
  {%- else %}
  {%- if q.missing == 'skip' %}
  CASE
    WHEN COALESCE(candidates, 0) = 0
    THEN NULL
  {%- if m.empty == 'skip' %}
    ELSE CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }})
  {%- else %}
    ELSE COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0)
  {%- endif %}
  END
  {%- else %}
  {% if m.empty == 'skip' %}CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}){% else %}COALESCE(CAST({{ m.column }}_raw AS {{ recall_duckdb.type_double() }}), 0){% endif %}
  {%- endif %}
  {%- endif %}
  {%- endif %} AS {{ m.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'measured') }}
CROSS JOIN {{ recall_duckdb.read(q, 'models') }}
LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% if q.query_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'slices') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% if q.item_sliced %}
LEFT JOIN {{ recall_duckdb.read(q, 'numbered_slices') }}
  USING (item_slice_no){% endif %}{% if q.has_weights %}
LEFT JOIN {{ recall_duckdb.read(q, 'weighted') }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endif %}{% for judging in q.judgings[1:] %}
INNER JOIN {{ recall_duckdb.read(q, judging.measured) }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}){% endfor %}{% for m in q.metrics if not m.plain and not m.whole_run %}
LEFT JOIN {{ recall_duckdb.read(q, m.column) }}
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}){% endfor %}{% for m in q.metrics if not m.plain and m.whole_run %}
CROSS JOIN {{ recall_duckdb.read(q, m.column) }}{% endfor %}
{%- endif %}
{%- endmacro %}

{% macro postgres__relation_per_query(q) -%}
  {{- return(recall_duckdb.clickhouse__relation_per_query(q)) -}}
{%- endmacro %}
