{# Written from sql/3_judging/judged/ordered.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_judged_ordered(q) %}
  {{- return(adapter.dispatch('relation_judged_ordered', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_judged_ordered(q) -%}
/* Every judged item, with its rank in the run if it is there. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  is_relevant * hits AS relevant_hits,
  CASE WHEN hits >= 1 THEN 1 ELSE 0 END AS found,
  CASE WHEN is_relevant = 1 AND hits = 1 THEN 1 ELSE 0 END AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    item AS item,
    relevance AS relevance,
    is_relevant AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    hit_rank AS rank,
    list_length AS retrieved,
    SUM(CASE WHEN hit_rank >= 1 THEN is_relevant ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
      ORDER BY hit_rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      item AS item,
      relevance AS relevance,
      is_relevant AS is_relevant,
      gain AS gain,
      top_gain AS top_gain,
      ideal_rank AS ideal_rank,
      relevant AS relevant,
      CASE WHEN is_recommended = 1 THEN rank END AS hit_rank,
      COALESCE(recommended, 0) AS list_length
    FROM {{ recall_duckdb.read(q, 'models') }}
    CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
    LEFT JOIN {{ recall_duckdb.read(q, 'ranked') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
    LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  ) AS met
) AS counted
{%- endmacro %}

{% macro bigquery__relation_judged_ordered(q) -%}
/* Every judged item, with its rank in the run if it is there. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  is_relevant * hits AS relevant_hits,
  CASE WHEN hits >= 1 THEN 1 ELSE 0 END AS found,
  CASE WHEN is_relevant = 1 AND hits = 1 THEN 1 ELSE 0 END AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    item AS item,
    relevance AS relevance,
    is_relevant AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    hit_rank AS rank,
    list_length AS retrieved,
    SUM(CASE WHEN hit_rank >= 1 THEN is_relevant ELSE 0 END) OVER (
      PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
      ORDER BY hit_rank ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      item AS item,
      relevance AS relevance,
      is_relevant AS is_relevant,
      gain AS gain,
      top_gain AS top_gain,
      ideal_rank AS ideal_rank,
      relevant AS relevant,
      CASE WHEN is_recommended = 1 THEN rank END AS hit_rank,
      COALESCE(recommended, 0) AS list_length
    FROM {{ recall_duckdb.read(q, 'models') }}
    CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
    LEFT JOIN {{ recall_duckdb.read(q, 'ranked') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
    LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  ) AS met
) AS counted
{%- endmacro %}

{% macro spark__relation_judged_ordered(q) -%}
  {{- return(recall_duckdb.bigquery__relation_judged_ordered(q)) -}}
{%- endmacro %}
