{# Written from sql by `python -m recall_duckdb.macros`: change that, not this. #}
{% macro aggregate(q, m) %}
  {%- set query, slice, double = q.query, q.slices | join(', '), recall_duckdb.type_double() -%}{%- set in_top = '<= ' ~ m.k if m.k else 'IS NOT NULL' -%}
{%- if m.template == 'abstention' %} CASE WHEN SUM(is_relevant) = 0 THEN CAST(CASE WHEN MAX(retrieved) > 0 THEN 0 ELSE 1 END AS {{ double }}) END
{%- elif m.template == 'ap' %}
{%- if m.over in ['capped'] %} SUM(CASE WHEN rank {{ in_top }} THEN CAST(relevant_hits AS {{ double }}) / rank ELSE 0 END) / NULLIF( CASE WHEN (SUM(is_relevant) > {{ m.k or 'MAX(retrieved)' }}) THEN {{ m.k or 'MAX(retrieved)' }} ELSE SUM(is_relevant) END, 0 )
{%- elif m.over in ['k'] %} SUM(CASE WHEN rank {{ in_top }} THEN CAST(relevant_hits AS {{ double }}) / rank ELSE 0 END) / NULLIF({{ m.k or 'MAX(retrieved)' }}, 0)
{%- elif m.over in ['hits'] %} SUM(CASE WHEN rank {{ in_top }} THEN CAST(relevant_hits AS {{ double }}) / rank ELSE 0 END) / NULLIF(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END), 0)
{%- else %} SUM(CASE WHEN rank {{ in_top }} THEN CAST(relevant_hits AS {{ double }}) / rank ELSE 0 END) / NULLIF(SUM(is_relevant), 0){%- endif %}
{%- elif m.template == 'average_rank' %} CAST(SUM(CASE WHEN is_relevant = 1 AND rank {{ in_top }} THEN rank END) AS {{ double }}) / NULLIF(SUM(CASE WHEN is_relevant = 1 AND rank {{ in_top }} THEN 1 END), 0)
{%- elif m.template == 'capped_recall' %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF( CASE WHEN SUM(is_relevant) < {{ m.k or 'MAX(retrieved)' }} THEN SUM(is_relevant) ELSE {{ m.k or 'MAX(retrieved)' }} END, 0 )
{%- elif m.template == 'clicks' %} COALESCE( FLOOR(CAST(MIN(CASE WHEN is_relevant = 1 AND rank <= COALESCE({{ m.k or '500' }}, rank) THEN rank END) - 1 AS {{ double }}) / 10), CAST({{ m.k or '500' }} AS {{ double }}) / 10 + 1 )
{%- elif m.template == 'dcg' %}
{%- if m.discount in ['lenskit'] %} SUM( CASE WHEN rank {{ in_top }} THEN gain * LN({{ m.base }}) / LN(CASE WHEN rank > CAST('{{ m.base }}' AS {{ double }}) THEN rank - 1 ELSE CAST('{{ m.base }}' AS {{ double }}) - 1 END + 1) ELSE 0 END )
{%- else %} SUM(CASE WHEN rank {{ in_top }} THEN gain * LN({{ m.base }}) / LN(rank + 1) ELSE 0 END){%- endif %}
{%- elif m.template == 'f1' %}
{%- if m.over in ['retrieved'] %} 2 * CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF( SUM(is_relevant) + CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END, 0 )
{%- else %} 2 * CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF(SUM(is_relevant) + {{ m.k or 'MAX(retrieved)' }}, 0){%- endif %}
{%- elif m.template == 'fall_out' %}
{%- if m.of in ['judged'] %} CAST(SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank {{ in_top }} THEN 1 ELSE 0 END) AS {{ double }}) / NULLIF(SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END), 0)
{%- else %} CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF(MAX(retrieved) - SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END), 0){%- endif %}
{%- elif m.template == 'fbeta' %}
{%- if m.over in ['retrieved'] %} (1 + CAST('{{ m.beta }}' AS {{ double }}) * CAST('{{ m.beta }}' AS {{ double }})) * CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF( CAST('{{ m.beta }}' AS {{ double }}) * CAST('{{ m.beta }}' AS {{ double }}) * CAST(SUM(is_relevant) AS {{ double }}) + CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END AS {{ double }}), 0 )
{%- else %} (1 + CAST('{{ m.beta }}' AS {{ double }}) * CAST('{{ m.beta }}' AS {{ double }})) * CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF( CAST('{{ m.beta }}' AS {{ double }}) * CAST('{{ m.beta }}' AS {{ double }}) * CAST(SUM(is_relevant) AS {{ double }}) + CAST({{ m.k or 'MAX(retrieved)' }} AS {{ double }}), 0 ){%- endif %}
{%- elif m.template == 'gain_recall' %} SUM(CASE WHEN rank {{ in_top }} THEN gain ELSE 0 END) / NULLIF(SUM(CASE WHEN ideal_rank >= 1 THEN gain ELSE 0 END), 0)
{%- elif m.template == 'hit_rate' %} CAST(MAX(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }})
{%- elif m.template == 'hits' %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }})
{%- elif m.template == 'iprec' %} MAX( CASE WHEN is_relevant = 1 AND rank >= 1 AND hits >= FLOOR(CAST('{{ m.recall }}' AS {{ double }}) * CAST(relevant AS {{ double }}) + CAST('0.5' AS {{ double }})) THEN CAST(hits AS {{ double }}) / rank ELSE 0 END )
{%- elif m.template == 'judged' %}
{%- if m.over in ['k'] %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN 1 ELSE 0 END) AS {{ double }}) / NULLIF({{ m.k or 'MAX(retrieved)' }}, 0)
{%- else %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN 1 ELSE 0 END) AS {{ double }}) / NULLIF( CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END, 0 ){%- endif %}
{%- elif m.template == 'ncg' %} SUM(CASE WHEN rank {{ in_top }} THEN gain ELSE 0 END) / NULLIF(SUM(CASE WHEN ideal_rank {{ in_top }} THEN gain ELSE 0 END), 0)
{%- elif m.template == 'ndcg' %}
{%- if m.discount in ['lenskit'] %} SUM( CASE WHEN rank {{ in_top }} THEN gain * LN({{ m.base }}) / LN(CASE WHEN rank > CAST('{{ m.base }}' AS {{ double }}) THEN rank - 1 ELSE CAST('{{ m.base }}' AS {{ double }}) - 1 END + 1) ELSE 0 END ) / NULLIF( SUM( CASE WHEN ideal_rank {{ in_top }} THEN gain * LN({{ m.base }}) / LN(CASE WHEN ideal_rank > CAST('{{ m.base }}' AS {{ double }}) THEN ideal_rank - 1 ELSE CAST('{{ m.base }}' AS {{ double }}) - 1 END + 1) ELSE 0 END ), 0 )
{%- else %} SUM(CASE WHEN rank {{ in_top }} THEN gain * LN({{ m.base }}) / LN(rank + 1) ELSE 0 END) / NULLIF(SUM(CASE WHEN ideal_rank {{ in_top }} THEN gain * LN({{ m.base }}) / LN(ideal_rank + 1) ELSE 0 END), 0){%- endif %}
{%- elif m.template == 'num_nonrel_judged_ret' %} CAST(SUM(CASE WHEN rank >= 1 AND relevance >= 0 AND is_relevant = 0 THEN 1 ELSE 0 END) AS {{ double }})
{%- elif m.template == 'num_q' %} CAST(1 AS {{ double }})
{%- elif m.template == 'num_rel' %} CAST(SUM(is_relevant) AS {{ double }})
{%- elif m.template == 'num_rel_ret' %} CAST(SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) AS {{ double }})
{%- elif m.template == 'num_ret' %} CAST(MAX(retrieved) AS {{ double }})
{%- elif m.template == 'partial_auc' %}
{%- if m.over in ['capped'] %} CAST(SUM(CASE WHEN is_relevant = 1 AND rank - hits < {{ m.k or 'NULL' }} AND hits <= {{ m.k or 'NULL' }} THEN {{ m.k or 'NULL' }} - (rank - hits) ELSE 0 END) AS {{ double }}) / NULLIF(CAST(CASE WHEN SUM(is_relevant) > {{ m.k or 'NULL' }} THEN {{ m.k or 'NULL' }} ELSE SUM(is_relevant) END AS {{ double }}) * CAST({{ m.k or 'NULL' }} AS {{ double }}), 0)
{%- else %} CAST(SUM(CASE WHEN is_relevant = 1 AND rank - hits < {{ m.k or 'NULL' }} THEN {{ m.k or 'NULL' }} - (rank - hits) ELSE 0 END) AS {{ double }}) / NULLIF(CAST(SUM(is_relevant) AS {{ double }}) * CAST({{ m.k or 'NULL' }} AS {{ double }}), 0){%- endif %}
{%- elif m.template == 'precision' %}
{%- if m.over in ['retrieved'] %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF( CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END, 0 )
{%- else %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF({{ m.k or 'MAX(retrieved)' }}, 0){%- endif %}
{%- elif m.template == 'r_precision' %} CAST(SUM(CASE WHEN rank <= COALESCE(relevant, rank) THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF(SUM(is_relevant), 0)
{%- elif m.template == 'r_precision_mult' %} CAST(SUM( CASE WHEN rank <= COALESCE(FLOOR(CAST('{{ m.multiple }}' AS {{ double }}) * CAST(relevant AS {{ double }}) + 0.9), rank) THEN is_relevant ELSE 0 END ) AS {{ double }}) / NULLIF(FLOOR(CAST('{{ m.multiple }}' AS {{ double }}) * CAST(SUM(is_relevant) AS {{ double }}) + 0.9), 0)
{%- elif m.template == 'rbp' %}
{%- if m.gain in ['linear'] %}
{%- if m.over in ['ideal'] %} SUM( CASE WHEN rank {{ in_top }} THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE 0 END * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) * ( 1 / NULLIF( SUM( CASE WHEN gain > 0 AND ideal_rank {{ in_top }} THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(ideal_rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ), 0 ) )
{%- else %} SUM( CASE WHEN rank {{ in_top }} THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE 0 END * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) * ((1 - CAST('{{ m.p }}' AS {{ double }})) * MAX(top_gain)){%- endif %}
{%- elif m.gain in ['scaled'] %}
{%- if m.over in ['ideal'] %} SUM( CASE WHEN rank {{ in_top }} THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE 0 END * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) * ( 1 / NULLIF( SUM( CASE WHEN gain > 0 AND ideal_rank {{ in_top }} THEN gain / top_gain * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(ideal_rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ), 0 ) )
{%- else %} SUM( CASE WHEN rank {{ in_top }} THEN CASE WHEN gain > 0 THEN gain / top_gain ELSE 0 END * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) * CASE WHEN (MAX(top_gain) < 1) THEN (1 - CAST('{{ m.p }}' AS {{ double }})) * MAX(top_gain) ELSE 1 - CAST('{{ m.p }}' AS {{ double }}) END{%- endif %}
{%- else %}
{%- if m.over in ['ideal'] %} SUM( CASE WHEN rank {{ in_top }} THEN CAST(is_relevant AS {{ double }}) * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) * ( (1 - CAST('{{ m.p }}' AS {{ double }})) / NULLIF( 1 - POWER( CAST('{{ m.p }}' AS {{ double }}), LEAST( CAST(CASE WHEN SUM(is_relevant) > {{ m.k or 'SUM(is_relevant)' }} THEN {{ m.k or 'NULL' }} ELSE SUM(is_relevant) END AS {{ double }}), -600 / LN({{ m.p }}) ) ), 0 ) )
{%- else %} SUM( CASE WHEN rank {{ in_top }} THEN CAST(is_relevant AS {{ double }}) * POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) * (1 - CAST('{{ m.p }}' AS {{ double }})){%- endif %}{%- endif %}
{%- elif m.template == 'rbp_residual' %} CASE WHEN MAX(retrieved) > SUM(CASE WHEN rank >= 1 AND relevance >= 0 THEN 1 ELSE 0 END) THEN 1 - (1 - CAST('{{ m.p }}' AS {{ double }})) * SUM( CASE WHEN rank >= 1 AND relevance >= 0 THEN POWER(CAST('{{ m.p }}' AS {{ double }}), LEAST(CAST(rank - 1 AS {{ double }}), -600 / LN({{ m.p }}))) ELSE 0 END ) ELSE 0 END
{%- elif m.template == 'recall' %} CAST(SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF(SUM(is_relevant), 0)
{%- elif m.template == 'recall_all' %} CASE WHEN SUM(is_relevant) > 0 THEN CAST(CASE WHEN SUM(CASE WHEN rank {{ in_top }} THEN is_relevant ELSE 0 END) = SUM(is_relevant) THEN 1 ELSE 0 END AS {{ double }}) END
{%- elif m.template == 'rr' %} MAX(CASE WHEN is_relevant = 1 AND rank {{ in_top }} THEN 1 / CAST(rank AS {{ double }}) ELSE 0 END)
{%- elif m.template == 'set_ap' %} CAST(SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF(MAX(retrieved), 0) * CAST(SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) AS {{ double }}) / NULLIF(SUM(is_relevant), 0)
{%- elif m.template == 'unjudged' %} CAST(CASE WHEN MAX(retrieved) < {{ m.k or 'MAX(retrieved)' }} THEN MAX(retrieved) ELSE {{ m.k or 'MAX(retrieved)' }} END - SUM(CASE WHEN rank {{ in_top }} AND relevance >= 0 THEN 1 ELSE 0 END) AS {{ double }}) / NULLIF({{ m.k or 'MAX(retrieved)' }}, 0)
{%- elif m.template == 'utility' %} CAST('{{ m.hit }}' AS {{ double }}) * CAST(SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) AS {{ double }}) + CAST('{{ m.other }}' AS {{ double }}) * CAST(MAX(retrieved) - SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) AS {{ double }}) + CAST('{{ m.missed }}' AS {{ double }}) * CAST(SUM(is_relevant) - SUM(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) AS {{ double }})
{%- endif -%}{% endmacro %}
{% macro metric_rows(q, m, s) %}
  {%- set query, slice, double = q.query, q.slices | join(', '), recall_duckdb.type_double() -%}{%- set in_top = '<= ' ~ m.k if m.k else 'IS NOT NULL' -%}
{%- if m.template == 'auc' %}
SELECT rd_model, {{ query }},
  (
    SUM(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END) - CAST(SUM(is_relevant) * (SUM(is_relevant) + 1) AS {{ double }}) / 2
  )
  / NULLIF(SUM(is_relevant) * (COUNT(*) - SUM(is_relevant)), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, COALESCE(is_relevant, 0) AS is_relevant,
    CAST(RANK() OVER (PARTITION BY rd_model, {{ query }} ORDER BY rd_score ASC NULLS FIRST) AS {{ double }}) + CAST(COUNT(*) OVER (PARTITION BY rd_model, {{ query }}, rd_score) - 1 AS {{ double }}) / 2 AS mean_rank
  FROM {{ q.candidates }}
  LEFT JOIN rd_graded{{ s }} USING ({{ query }}, rd_item)
) AS scored
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'bpref' %}
SELECT rd_model, {{ query }},
  SUM(
    CASE
      WHEN is_relevant = 0 OR rank IS NULL THEN 0
      WHEN above = 0 THEN 1
      ELSE 1 - CAST(CASE WHEN above < relevant THEN above ELSE relevant END AS {{ double }}) / CASE WHEN non_relevant < relevant THEN non_relevant ELSE relevant END
    END
  )
  / NULLIF(CAST(SUM(is_relevant) AS {{ double }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, rank, is_relevant, relevant,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 AND rank >= 1 THEN 1 ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST ROWS UNBOUNDED PRECEDING) AS above,
    SUM(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }}) AS non_relevant
  FROM rd_judged{{ s }}
) AS compared
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'coverage' %}
SELECT rd_model,
  CAST(SUM(CASE WHEN best_rank {{ in_top }} THEN 1 ELSE 0 END) AS {{ double }}) / COUNT(*) AS {{ m.column }}_raw
FROM (SELECT DISTINCT rd_model FROM {{ q.candidates }}) AS rd_models
CROSS JOIN rd_catalog_items
LEFT JOIN (
  SELECT rd_model, rd_item, MIN(rank) AS best_rank
  FROM rd_shown{{ s }}
  GROUP BY rd_model, rd_item
) AS shown_items USING (rd_model, rd_item)
GROUP BY rd_model
{%- elif m.template == 'diversity' %}
SELECT rd_model, {{ query }},
  CASE
    WHEN items > 1 THEN 1 - COALESCE(cosines, CAST(0 AS {{ double }})) / (CAST(items AS {{ double }}) * CAST(items - 1 AS {{ double }}))
  END AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, COUNT(*) AS items
  FROM rd_shown{{ s }}
  WHERE rank {{ in_top }}
  GROUP BY rd_model, {{ query }}
) AS each_list
LEFT JOIN (
  SELECT rd_model, {{ query }}, SUM(total * total - squares) AS cosines
  FROM (
    SELECT rd_model, {{ query }}, feature, SUM(share) AS total, SUM(share * share) AS squares
    FROM rd_shown{{ s }}
    INNER JOIN rd_unit_features USING (rd_item)
    WHERE rank {{ in_top }}
    GROUP BY rd_model, {{ query }}, feature
  ) AS vectors
  GROUP BY rd_model, {{ query }}
) AS sums USING (rd_model, {{ query }})
{%- elif m.template == 'eleven_point' %}
SELECT rd_model, {{ query }}, SUM(precision_at) / 11 AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, tenths,
    MAX(
      CASE
        WHEN is_relevant = 1
        AND rank >= 1
        AND hits >= FLOOR(CAST(tenths AS {{ double }}) / 10 * CAST(relevant AS {{ double }}) + CAST('0.5' AS {{ double }})) THEN CAST(hits AS {{ double }}) / rank
        ELSE 0
      END
    ) AS precision_at
  FROM rd_judged{{ s }}
  CROSS JOIN (
    SELECT 0 AS tenths UNION ALL SELECT 1 AS tenths UNION ALL SELECT 2 AS tenths UNION ALL SELECT 3 AS tenths UNION ALL SELECT 4 AS tenths UNION ALL SELECT 5 AS tenths UNION ALL SELECT 6 AS tenths UNION ALL SELECT 7 AS tenths UNION ALL SELECT 8 AS tenths UNION ALL SELECT 9 AS tenths UNION ALL SELECT 10 AS tenths
  ) AS levels
  GROUP BY rd_model, {{ query }}, tenths
) AS curve
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'err' %}
SELECT rd_model, {{ query }}, SUM(satisfied_here) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }},
    CASE
      WHEN rank {{ in_top }} THEN satisfies / CAST(rank AS {{ double }}) * EXP(
        GREATEST(
          SUM(LN(1 - satisfies))
            OVER (PARTITION BY rd_model, {{ query }} ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST ROWS UNBOUNDED PRECEDING),
          -600
        )
      ) / (1 - satisfies)
      ELSE 0
    END AS satisfied_here
  FROM (
    SELECT rd_model, {{ query }}, rank,
      CASE
        WHEN relevance > 0 AND relevance <= CAST('{{ m.max_grade }}' AS {{ double }}) * CAST(1.0000001 AS {{ double }}) THEN (POWER(2, CAST(relevance AS {{ double }})) - 1) / POWER(2, CAST(CAST('{{ m.max_grade }}' AS {{ double }}) AS {{ double }}))
        ELSE 0
      END AS satisfies
    FROM rd_judged{{ s }}
  ) AS readers
) AS discounted
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'gini' %}
SELECT rd_model,
  CAST(SUM((2 * place - items - 1) * times) AS {{ double }}) / NULLIF(MAX(items) * SUM(times), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, COALESCE(times, 0) AS times,
    ROW_NUMBER()
      OVER (PARTITION BY rd_model ORDER BY COALESCE(times, 0) ASC NULLS FIRST, rd_item ASC NULLS FIRST) AS place,
    COUNT(*) OVER (PARTITION BY rd_model) AS items
  FROM (SELECT DISTINCT rd_model FROM {{ q.candidates }}) AS rd_models
  CROSS JOIN rd_catalog_items
  LEFT JOIN (
    SELECT rd_model, rd_item, COUNT(*) AS times
    FROM rd_shown{{ s }}
    WHERE rank {{ in_top }}
    GROUP BY rd_model, rd_item
  ) AS shown_items USING (rd_model, rd_item)
) AS spread
GROUP BY rd_model
{%- elif m.template == 'inf_ap' %}
SELECT rd_model, {{ query }},
  SUM(
    CASE
      WHEN is_relevant = 0 OR rank IS NULL THEN 0
      WHEN rank = 1 THEN 1
      ELSE 1 / CAST(rank AS {{ double }}) + CAST(pooled_above AS {{ double }}) / rank * (CAST(hits - 1 AS {{ double }}) + CAST('0.00001' AS {{ double }})) / (CAST(judged_above AS {{ double }}) + 2 * CAST('0.00001' AS {{ double }}))
    END
  )
  / NULLIF(CAST(SUM(is_relevant) AS {{ double }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, rank, is_relevant, relevant, hits,
    ROW_NUMBER()
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST) - 1 AS pooled_above,
    SUM(CASE WHEN relevance >= 0 THEN 1 ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST ROWS UNBOUNDED PRECEDING) - 1 AS judged_above
  FROM rd_judged{{ s }}
) AS sampled
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'ndcg_r' %}
SELECT rd_model, {{ query }},
  (
    SUM(CASE WHEN is_cutoff = 1 THEN own / ideal ELSE 0 END) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN MAX(own) / NULLIF(MAX(ideal), 0) ELSE 0 END
  )
  / NULLIF(
    CAST(SUM(is_cutoff) + CASE WHEN MAX(retrieved) > MAX(last_gain) + 1 THEN 1 ELSE 0 END AS {{ double }}) * CASE WHEN MAX(last_gain) > 0 THEN 1 ELSE 0 END,
    0
  ) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN in_list = 0
      AND gain > 0
      AND gain > COALESCE(LEAD(CAST(gain AS {{ double }}))
          OVER (PARTITION BY rd_model, {{ query }}, in_list ORDER BY place ASC NULLS FIRST), 0) THEN 1
      ELSE 0
    END AS is_cutoff,
    SUM(CASE WHEN in_list = 1 THEN worth ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY place ASC NULLS FIRST RANGE UNBOUNDED PRECEDING) AS own,
    SUM(CASE WHEN in_list = 0 THEN worth ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY place ASC NULLS FIRST RANGE UNBOUNDED PRECEDING) AS ideal
  FROM (
    SELECT rd_model, {{ query }}, in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain, retrieved,
      CASE WHEN gain > 0 THEN gain * LN(2) / LN(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1) ELSE 0 END AS worth
    FROM rd_judged{{ s }}
    CROSS JOIN (
      SELECT 0 AS in_list UNION ALL SELECT 1 AS in_list
    ) AS orders
    WHERE in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'ndcg_rel' %}
SELECT rd_model, {{ query }},
  (
    SUM(CASE WHEN in_list = 1 AND gain > 0 THEN own / ideal ELSE 0 END) + CAST(SUM(CASE WHEN gain > 0 THEN 1 - 2 * in_list ELSE 0 END) AS {{ double }}) * MAX(own)
    / NULLIF(MAX(ideal), 0)
  )
  / NULLIF(SUM(CASE WHEN gain > 0 THEN 1 - in_list ELSE 0 END), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, in_list, gain,
    SUM(CASE WHEN in_list = 1 THEN worth ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY place ASC NULLS FIRST RANGE UNBOUNDED PRECEDING) AS own,
    SUM(CASE WHEN in_list = 0 THEN worth ELSE 0 END)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY place ASC NULLS FIRST RANGE UNBOUNDED PRECEDING) AS ideal
  FROM (
    SELECT rd_model, {{ query }}, in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain,
      CASE WHEN gain > 0 THEN gain * LN(2) / LN(CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END + 1) ELSE 0 END AS worth
    FROM rd_judged{{ s }}
    CROSS JOIN (
      SELECT 0 AS in_list UNION ALL SELECT 1 AS in_list
    ) AS orders
    WHERE in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'normalized_gain' %}
SELECT rd_model, {{ query }},
  SUM(
    CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS {{ double }}) + ahead > 0 THEN gain * LN(2) / LN(CAST(2 + place AS {{ double }}) + ahead)
      ELSE 0
    END
  )
  / NULLIF(SUM(CASE WHEN in_list = 0 AND gain > 0 THEN gain ELSE 0 END), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, {{ query }}, in_list, place, gain, top_gain,
    SUM(gain_ahead)
      OVER (PARTITION BY rd_model, {{ query }} ORDER BY place ASC NULLS FIRST RANGE UNBOUNDED PRECEDING) AS ahead
  FROM (
    SELECT rd_model, {{ query }}, in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain, top_gain,
      CASE WHEN in_list = 1 THEN -CAST(gain AS {{ double }}) WHEN gain > 1 THEN CAST(gain AS {{ double }}) - 1 ELSE 0 END AS gain_ahead
    FROM rd_judged{{ s }}
    CROSS JOIN (
      SELECT 0 AS in_list UNION ALL SELECT 1 AS in_list
    ) AS orders
    WHERE in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'novelty' %}
SELECT rd_model, {{ query }},
  SUM(LN(CAST(training_queries AS {{ double }}) / CASE WHEN holders > 0 THEN holders ELSE 1 END) / LN(2)) / COUNT(*) AS {{ m.column }}_raw
FROM rd_shown{{ s }}
CROSS JOIN rd_training_size
LEFT JOIN rd_held_items USING (rd_item)
WHERE rank {{ in_top }}
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'overlap' %}
SELECT rd_model,
  CAST(SUM(holding * (holding - 1)) AS {{ double }})
  / NULLIF(CAST(MAX(lists) * (MAX(lists) - 1) AS {{ double }}) * CAST(MAX(cutoff) AS {{ double }}), 0) AS {{ m.column }}_raw
FROM (
  SELECT rd_model, rd_item, SUM(CASE WHEN rank {{ in_top }} THEN 1 ELSE 0 END) AS holding
  FROM rd_shown{{ s }}
  GROUP BY rd_model, rd_item
) AS items
INNER JOIN (
  SELECT rd_model, COUNT(*) AS lists, {{ m.k or 'MAX(longest)' }} AS cutoff
  FROM (
    SELECT rd_model, {{ query }}, COUNT(*) AS longest
    FROM rd_shown{{ s }}
    GROUP BY rd_model, {{ query }}
  ) AS each_list
  GROUP BY rd_model
) AS all_lists USING (rd_model)
GROUP BY rd_model
{%- elif m.template == 'pair_diversity' %}
SELECT rd_model, {{ query }}, 1 - SUM(COALESCE(similarity, 0)) / CAST(COUNT(*) AS {{ double }}) AS {{ m.column }}_raw
FROM rd_shown{{ s }}
INNER JOIN (
  SELECT rd_model, {{ query }}, rd_item AS other, rank AS other_rank
  FROM rd_shown{{ s }}
) AS others USING (rd_model, {{ query }})
LEFT JOIN rd_similarities USING (rd_item, other)
WHERE rank < other_rank AND other_rank {{ in_top }}
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'popularity' %}
SELECT rd_model, {{ query }},
  CAST(SUM(COALESCE(holders, 0)) AS {{ double }}) / NULLIF(COUNT(*) * MAX(training_queries), 0) AS {{ m.column }}_raw
FROM rd_shown{{ s }}
CROSS JOIN rd_training_size
LEFT JOIN rd_held_items USING (rd_item)
WHERE rank {{ in_top }}
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'serendipity' %}
SELECT rd_model, {{ query }},
  CAST(SUM(
    CASE
      WHEN is_relevant = 1 AND COALESCE(popularity_rank, catalog_size + 1) > rank THEN COALESCE(popularity_rank, catalog_size + 1) - rank
      ELSE 0
    END
  ) AS {{ double }})
  / NULLIF(COUNT(*) * MAX(catalog_size), 0) AS {{ m.column }}_raw
FROM rd_shown{{ s }}
CROSS JOIN (
  SELECT COUNT(*) AS catalog_size
  FROM rd_catalog_items
) AS catalog_sizes
LEFT JOIN rd_graded{{ s }} USING ({{ query }}, rd_item)
LEFT JOIN (
  SELECT rd_item, DENSE_RANK() OVER (ORDER BY holders DESC) AS popularity_rank
  FROM rd_held_items
) AS popularity_ranks USING (rd_item)
WHERE rank {{ in_top }}
GROUP BY rd_model, {{ query }}
{%- elif m.template == 'unexpectedness' %}
SELECT rd_model, {{ query }},
  CAST(SUM(CASE WHEN is_obvious = 1 THEN 0 ELSE 1 END) AS {{ double }}) / NULLIF(COUNT(*), 0) AS {{ m.column }}_raw
FROM rd_shown{{ s }}
LEFT JOIN rd_obvious_items USING ({{ query }}, rd_item)
WHERE rank {{ in_top }}
GROUP BY rd_model, {{ query }}
{%- endif -%}{% endmacro %}
{% macro relation(q, name) %}
  {%- set query, slice, double = q.query, q.slices | join(', '), recall_duckdb.type_double() -%}
{%- if name == 'weighted' %}
SELECT {{ query }}, weight / POWER(2, FLOOR(LN(top_weight) / LN(2))) AS query_weight FROM ( SELECT {{ query }}, weight,
MAX(weight) OVER () AS top_weight FROM rd_weights INNER JOIN ( SELECT {{ query }} FROM rd_qrels GROUP BY {{ query }} ) AS
judged_queries USING ({{ query }}) ) AS scaled WHERE top_weight > 0
{%- elif name == 'catalog_items' %} SELECT rd_item FROM rd_catalog WHERE rd_item IS NOT NULL GROUP BY rd_item
{%- elif name == 'held_items' %}
SELECT rd_item, COUNT(*) AS holders FROM ( SELECT {{ query }}, rd_item FROM rd_training GROUP BY {{ query }}, rd_item ) AS
held GROUP BY rd_item
{%- elif name == 'training_size' %} SELECT COUNT(*) AS training_queries FROM ( SELECT {{ query }} FROM rd_training GROUP BY {{ query }} ) AS trained
{%- elif name == 'obvious_items' %} SELECT {{ query }}, rd_item, 1 AS is_obvious FROM rd_obvious GROUP BY {{ query }}, rd_item
{%- elif name == 'similarities' %}
SELECT one AS rd_item, two AS other, MAX(degree) AS similarity FROM ( SELECT rd_item AS one, other AS two, similarity
AS degree FROM rd_pairs UNION ALL SELECT other AS one, rd_item AS two, similarity AS degree FROM rd_pairs ) AS
both_ways GROUP BY one, two
{%- elif name == 'unit_features' %}
SELECT rd_item, feature, share / SQRT(squares) AS share FROM ( SELECT rd_item, feature, share, CAST(SUM(CAST(share *
share * POWER(2, 70) AS DECIMAL(38, 0))) OVER (PARTITION BY rd_item) AS {{ double }}) / POWER(2, 70) AS squares FROM (
SELECT rd_item, feature, SUM(weight / top_weight) AS share FROM ( SELECT rd_item, feature, weight, MAX(ABS(weight))
OVER (PARTITION BY rd_item) AS top_weight FROM rd_features ) AS scaled WHERE weight <> 0 GROUP BY rd_item, feature )
AS shares ) AS lengths WHERE squares > 0
{%- endif -%}{% endmacro %}
{% macro check_rows(q, name) %}
  {%- set query, slice, double = q.query, q.slices | join(', '), recall_duckdb.type_double() -%}
{%- if name == 'empty_models' %}
SELECT rd_model FROM rd_named_models LEFT JOIN ( SELECT rd_model, 1 AS is_held FROM rd_per_query GROUP BY rd_model )
AS held_models USING (rd_model) WHERE COALESCE(is_held, 0) = 0
{%- elif name == 'empty_qrels' %} SELECT COUNT(*) AS found FROM (SELECT rd_item FROM rd_qrels LIMIT 1) AS first_row HAVING COUNT(*) = 0
{%- elif name == 'empty_run' %} SELECT COUNT(*) AS found FROM (SELECT rd_item FROM rd_run LIMIT 1) AS first_row HAVING COUNT(*) = 0
{%- elif name == 'catalog_ids' %} SELECT rd_item FROM rd_catalog WHERE NOT (rd_item IS NOT NULL)
{%- elif name == 'exclude_ids' %} SELECT {{ query }}, rd_item FROM rd_exclude WHERE NOT ({{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL AND rd_item IS NOT NULL)
{%- elif name == 'obvious_ids' %} SELECT {{ query }}, rd_item FROM rd_obvious WHERE NOT ({{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL AND rd_item IS NOT NULL)
{%- elif name == 'qrels_ids' %} SELECT {{ query }}, rd_item, relevance FROM rd_qrels WHERE NOT ({{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL AND rd_item IS NOT NULL)
{%- elif name == 'query_slices_ids' %} SELECT {{ query }} FROM rd_query_slices WHERE NOT ({{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL)
{%- elif name == 'run_ids' %}
SELECT rd_model, {{ query }}, rd_item FROM rd_run WHERE NOT (rd_model IS NOT NULL AND {{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL AND rd_item IS
NOT NULL)
{%- elif name == 'run_ranks' %} SELECT rd_model, {{ query }}, rd_item FROM rd_run WHERE rd_rank IS NULL
{%- elif name == 'training_ids' %} SELECT {{ query }}, rd_item FROM rd_training WHERE NOT ({{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL AND rd_item IS NOT NULL)
{%- elif name == 'features' %}
SELECT rd_item, feature, weight FROM rd_features WHERE NOT (rd_item IS NOT NULL AND feature IS NOT NULL) OR weight IS
NULL OR ABS(weight) > CAST(1.7e308 AS {{ double }})
{%- elif name == 'gains' %} SELECT {{ query }}, rd_item, relevance FROM rd_qrels WHERE relevance >= 40
{%- elif name == 'grades' %}
SELECT {{ query }}, rd_item, relevance FROM rd_qrels WHERE relevance > CAST('{{ q.max_grade }}' AS {{ double }}) * CAST(1.0000001 AS
{{ double }})
{%- elif name == 'missing' %} SELECT rd_model, {{ query }} FROM rd_per_query WHERE rd_retrieved = 0
{%- elif name == 'no_common_catalog' %}
SELECT COUNT(*) AS found FROM ( SELECT rd_item FROM rd_run INNER JOIN rd_catalog USING (rd_item) LIMIT 1 ) AS common
HAVING COUNT(*) = 0
{%- elif name == 'no_common_exclude' %}
SELECT {{ query }}, rd_item, excluded_item FROM ( SELECT {{ query }}, rd_item FROM rd_run ORDER BY {{ query }} ASC NULLS FIRST,
rd_item ASC NULLS FIRST LIMIT 1 ) AS first_of_run CROSS JOIN ( SELECT rd_item AS excluded_item FROM rd_exclude ORDER
BY {{ query }} ASC NULLS FIRST, rd_item ASC NULLS FIRST LIMIT 1 ) AS first_excluded CROSS JOIN ( SELECT COUNT(*) AS
removed FROM ( SELECT rd_item FROM rd_run INNER JOIN rd_exclude USING ({{ query }}, rd_item) LIMIT 1 ) AS first_removed )
AS all_removed WHERE removed = 0
{%- elif name == 'no_common_features' %}
SELECT COUNT(*) AS found FROM ( SELECT rd_item FROM rd_run INNER JOIN rd_features USING (rd_item) LIMIT 1 ) AS common
HAVING COUNT(*) = 0
{%- elif name == 'no_common_item' %}
SELECT rd_model, COUNT(*) AS candidates, MIN(rd_item) AS rd_item, MAX(first_judged) AS judged_item FROM rd_run LEFT
JOIN ( SELECT {{ query }}, rd_item, 1 AS is_judged FROM rd_qrels GROUP BY {{ query }}, rd_item ) AS judged_items USING
({{ query }}, rd_item) CROSS JOIN ( SELECT MIN(rd_item) AS first_judged FROM rd_qrels ) AS all_judged GROUP BY rd_model
HAVING COALESCE(MAX(is_judged), 0) = 0
{%- elif name == 'no_common_obvious' %}
SELECT COUNT(*) AS found FROM ( SELECT rd_item FROM rd_run INNER JOIN rd_obvious USING (rd_item) LIMIT 1 ) AS common
HAVING COUNT(*) = 0
{%- elif name == 'no_common_pairs' %}
SELECT COUNT(*) AS found FROM ( SELECT rd_item FROM rd_run INNER JOIN rd_pairs USING (rd_item) LIMIT 1 ) AS common
HAVING COUNT(*) = 0
{%- elif name == 'no_common_query' %}
SELECT rd_model, {{ query }} FROM ( SELECT rd_model, {{ query }}, MAX(rd_retrieved) OVER (PARTITION BY rd_model) AS ranked_w
FROM rd_per_query ) AS ranked_t WHERE ranked_w = 0
{%- elif name == 'no_common_training' %}
SELECT COUNT(*) AS found FROM ( SELECT rd_item FROM rd_run INNER JOIN rd_training USING (rd_item) LIMIT 1 ) AS common
HAVING COUNT(*) = 0
{%- elif name == 'no_relevant' %} SELECT rd_model, {{ query }} FROM rd_per_query WHERE NOT (rd_relevant <> 0)
{%- elif name == 'nothing_relevant' %} SELECT COUNT(*) AS found FROM rd_per_query HAVING NOT (MAX(rd_relevant) <> 0)
{%- elif name == 'pairs' %}
SELECT rd_item, other, similarity FROM rd_pairs WHERE NOT (rd_item IS NOT NULL AND other IS NOT NULL) OR similarity IS
NULL OR NOT (similarity BETWEEN -1 AND 1)
{%- elif name == 'qrels_duplicates' %}
SELECT {{ query }}, rd_item, COUNT(*) AS copies, MIN(relevance) AS lowest, MAX(relevance) AS highest FROM rd_qrels GROUP
BY {{ query }}, rd_item HAVING COUNT(*) > 1
{%- elif name == 'qrels_range' %} SELECT {{ query }}, rd_item, relevance FROM rd_qrels WHERE relevance >= CAST(1e12 AS {{ double }})
{%- elif name == 'qrels_relevance' %} SELECT {{ query }}, rd_item FROM rd_qrels WHERE relevance IS NULL
{%- elif name == 'query_slices_duplicates' %} SELECT {{ query }}, COUNT(*) AS copies FROM rd_query_slices GROUP BY {{ query }} HAVING COUNT(*) > 1
{%- elif name == 'ranks' %}
SELECT rd_model, {{ query }}, COUNT(*) AS items, MIN(rd_rank) AS smallest, MAX(rd_rank) AS largest FROM rd_run GROUP BY
rd_model, {{ query }} HAVING NOT (MIN(rd_rank) = 1 AND MAX(rd_rank) = COUNT(*) AND COUNT(DISTINCT rd_rank) = COUNT(*))
{%- elif name == 'reversed_scores' %}
SELECT rd_model, COUNT(excess) AS rd_relevant, CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS
percent_above FROM ( SELECT rd_model, excess, SUM(excess) OVER (PARTITION BY rd_model, {{ query }}) AS query_excess,
SUM(excess) OVER (PARTITION BY rd_model, rd_item) AS item_excess FROM ( SELECT rd_model, {{ query }}, rd_item,
(CAST(first_place + last_place - 2 AS {{ double }}) / NULLIF(2 * (length - 1), 0)) - 0.5 AS excess FROM ( SELECT rd_model,
{{ query }}, rd_item, RANK() OVER (PARTITION BY rd_model, {{ query }} ORDER BY rd_score DESC) AS first_place, COUNT(*) OVER
(PARTITION BY rd_model, {{ query }} ORDER BY rd_score DESC RANGE UNBOUNDED PRECEDING) AS last_place, COUNT(*) OVER
(PARTITION BY rd_model, {{ query }}) AS length FROM {{ q.candidates }} INNER JOIN ( SELECT rd_model, {{ query }}, ROW_NUMBER()
OVER (PARTITION BY rd_model ORDER BY {{ query }} ASC NULLS FIRST) AS list_no, COUNT(*) OVER (PARTITION BY rd_model) AS
total FROM {{ q.candidates }} INNER JOIN rd_graded USING ({{ query }}, rd_item) WHERE is_relevant = 1 GROUP BY rd_model,
{{ query }} ) AS lists USING (rd_model, {{ query }}) ) AS placed INNER JOIN rd_graded USING ({{ query }}, rd_item) WHERE
is_relevant = 1 ) AS found ) AS summed GROUP BY rd_model HAVING SUM(excess) >= 0.2 * COUNT(excess) AND
POWER(SUM(excess), 2) >= 16 * SUM(excess * query_excess) AND POWER(SUM(excess), 2) >= 16 * SUM(excess * item_excess)
{%- elif name == 'run_duplicates' %}
SELECT rd_model, {{ query }}, rd_item, COUNT(*) AS copies FROM rd_run GROUP BY rd_model, {{ query }}, rd_item HAVING
COUNT(*) > 1
{%- elif name == 'run_infinite' %}
SELECT rd_model, {{ query }}, rd_item, rd_score FROM rd_run WHERE rd_score > CAST('1.7976931348623157e308' AS {{ double }}) OR
rd_score < CAST('-1.7976931348623157e308' AS {{ double }})
{%- elif name == 'run_scores' %} SELECT rd_model, {{ query }}, rd_item FROM rd_run WHERE rd_score IS NULL
{%- elif name == 'slice_nulls' %}
SELECT DISTINCT {{ query }}, {{ slice }} FROM rd_per_query WHERE NOT ({{ q.slices | join(' IS NOT NULL AND ') }} IS NOT NULL) AND NOT ('{{ q.missing }}' =
'skip' AND rd_retrieved = 0)
{%- elif name == 'slices_of_qrels' %} SELECT {{ query }} FROM rd_qrels GROUP BY {{ query }} HAVING NOT ({% for each in q.slices %}MIN({{ each }}) = MAX({{ each }}){{ ' AND ' if not loop.last }}{% endfor %})
{%- elif name == 'slices_of_run' %} SELECT {{ query }} FROM rd_run GROUP BY {{ query }} HAVING NOT ({% for each in q.slices %}MIN({{ each }}) = MAX({{ each }}){{ ' AND ' if not loop.last }}{% endfor %})
{%- elif name == 'weights' %}
SELECT {{ query }}, weight FROM rd_weights WHERE NOT ({{ q.queries | join(' IS NOT NULL AND ') }} IS NOT NULL) OR weight IS NULL OR weight < 0 OR weight >
CAST(1.7e308 AS {{ double }})
{%- elif name == 'weights_duplicates' %} SELECT {{ query }}, COUNT(*) AS copies FROM rd_weights GROUP BY {{ query }} HAVING COUNT(*) > 1
{%- elif name == 'weights_missing' %} SELECT DISTINCT {{ query }} FROM rd_per_query WHERE query_weight IS NULL
{%- elif name == 'weights_range' %}
SELECT {{ query }}, query_weight AS share_of_largest FROM rd_weighted WHERE query_weight > 0 AND query_weight < CAST(1e-9
AS {{ double }})
{%- endif -%}{% endmacro %}
