{# Compare models with a baseline by their values of queries: means, mean difference and its interval of 95 %. #}
{% macro compare(
  values, metrics, baseline=none, baseline_values=none, query='query', by=none, model='model', tie_within=0, filter=none
) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.check_number('tie_within', tie_within) -%}
  {%- do recall_duckdb.refuse_if(tie_within < 0, 'tie_within: ' ~ tie_within ~ ' is below 0: pass the largest difference that is a tie, 0 or more') -%}
  {%- do recall_duckdb.refuse_if((baseline is none) == (baseline_values is none), 'baseline, baseline_values: pass exactly one of the two: the name of a model, or the relation of its values') -%}
  {%- set query, by = recall_duckdb.columns_of('query', query), recall_duckdb.columns_of('by', by) -%}
  {%- do recall_duckdb.refuse_if(not query, 'query: name the column, or columns, that say which query a row belongs to') -%}
  {%- do recall_duckdb.refuse_if(not recall_duckdb.columns_of('metrics', metrics), 'metrics: name at least one column of values, such as recall_at_10') -%}
  {%- do recall_duckdb.check_names('by', by, ['model', 'metric', 'queries', 'baseline', 'value', 'delta', 'sd', 'low', 'high', 'wins', 'ties', 'losses', 't']) -%}
  {%- set names, slices, queries = [], recall_duckdb.numbered('rd_slice', by), recall_duckdb.numbered('rd_query', query) -%}
  {%- for m in recall_duckdb.tested_metrics(metrics, true) -%}{%- do names.append(m.column) -%}{%- endfor -%}
  {%- set base = "'rd_baseline'" if baseline is none else recall_duckdb.text_literal('baseline', baseline) -%}
  {%- set keys, levels, shown, double = (['rd_model'] + slices + queries) | join(', '), [], [], recall_duckdb.type_double() -%}
  {%- for slice in slices -%}
    {%- do levels.append('CASE WHEN rd_is_slice = 1 THEN ' ~ slice ~ ' END') -%}
    {%- do shown.append(', ' ~ levels[-1] ~ ' AS ' ~ by[loop.index0]) -%}
  {%- endfor -%}
WITH rd_values AS (
  {%- for relation, name in [[values, model], [baseline_values, base]] if relation is not none %}
  SELECT {{ name }} AS rd_model{% for expression, column in recall_duckdb.pairs(by + query, slices + queries) %}, {{ expression }} AS {{ column }}{% endfor %}
  {%- for name in names %},
    {{ recall_duckdb.number(name) }} AS value_{{ loop.index }}
  {%- endfor %}
  FROM {{ relation }}
  {%- if filter %}
  WHERE {{ filter }}
  {%- endif %}
  {{- '\n  UNION ALL' if not loop.last and baseline_values is not none }}
  {%- endfor %}
), rd_both AS (
  SELECT {{ keys }}{% for name in names %}, value_{{ loop.index }} AS own_{{ loop.index }}, CAST(NULL AS {{ double }}) AS base_{{ loop.index }}{% endfor %}
  FROM rd_values
  WHERE rd_model <> {{ base }}
  UNION ALL
  SELECT rd_compared.rd_model, {{ (slices + queries) | join(', ') }}{% for name in names %}, CAST(NULL AS {{ double }}) AS own_{{ loop.index }}, value_{{ loop.index }} AS base_{{ loop.index }}{% endfor %}
  FROM (SELECT DISTINCT rd_model FROM rd_values WHERE rd_model <> {{ base }}) AS rd_compared
  CROSS JOIN rd_values
  WHERE rd_values.rd_model = {{ base }}
), rd_queries AS (
  SELECT {{ keys }}
  {%- for name in names %}, MAX(own_{{ loop.index }}) AS own_{{ loop.index }}, MAX(base_{{ loop.index }}) AS base_{{ loop.index }}{% endfor %}
  FROM rd_both
  GROUP BY {{ keys }}
), rd_pairs AS (
  {%- for name in names %}
  SELECT rd_model{% for slice in slices %}, {{ slice }}{% endfor %}, '{{ dbt.escape_single_quotes(name) }}' AS metric, {{ loop.index }} AS metric_no,
    CASE WHEN base_{{ loop.index }} IS NOT NULL THEN own_{{ loop.index }} END AS own, CASE WHEN own_{{ loop.index }} IS NOT NULL THEN base_{{ loop.index }} END AS base,
    FLOOR((own_{{ loop.index }} - base_{{ loop.index }}) * 1e12 + 0.5) / 1e12 AS diff
  FROM rd_queries{{ '\n  UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_sums AS (
  SELECT rd_model AS model{{ shown | join }}, metric, metric_no, COUNT(diff) AS queries, AVG(base) AS baseline, AVG(own) AS value, AVG(diff) AS delta,
    CASE WHEN COUNT(diff) > 1 THEN CASE WHEN MIN(diff) = MAX(diff) THEN CAST(0 AS {{ double }}) ELSE STDDEV_SAMP(diff) END END AS sd,
    COUNT(CASE WHEN diff > {{ tie_within }} THEN 1 END) AS rises, COUNT(CASE WHEN diff < -({{ tie_within }}) THEN 1 END) AS falls
  FROM rd_pairs
  {%- if slices %}
  CROSS JOIN (SELECT 0 AS rd_is_slice UNION ALL SELECT 1 AS rd_is_slice) AS rd_levels
  WHERE rd_is_slice = 0 OR ({{ slices | join(' IS NOT NULL AND ') }} IS NOT NULL)
  {%- endif %}
  GROUP BY {{ (['rd_model', 'metric', 'metric_no'] + levels + (['rd_is_slice'] if slices else [])) | join(', ') }}
), rd_errors AS (
  SELECT model{% for name in by %}, {{ name }}{% endfor %}, metric, queries, baseline, value, delta, sd, metric_no IN ({{ recall_duckdb.lower_of(names) | trim }}) AS is_lower, rises, falls,
    sd / SQRT(CAST(queries AS {{ double }})) AS se, {{ recall_duckdb.critical('CAST(queries - 1 AS ' ~ double ~ ')') }} AS critical
  FROM rd_sums
)
SELECT model{% for name in by %}, {{ name }}{% endfor %}, metric, queries, baseline, value, delta, sd, delta - critical * se AS low, delta + critical * se AS high,
  CASE WHEN is_lower THEN falls ELSE rises END AS wins, queries - rises - falls AS ties, CASE WHEN is_lower THEN rises ELSE falls END AS losses,
  delta / NULLIF(se, 0) AS t
FROM rd_errors
{%- endmacro %}

{# The numbers of the metrics for which lower is better, and 0. #}
{% macro lower_of(names) %}
  {%- for name in names -%}{{- (loop.index ~ ', ') if recall_duckdb.is_lower(name) -}}{%- endfor -%}0
{%- endmacro %}

{# Student's critical value for an interval of 95 %: exact up to 20 degrees of freedom, above within 3e-7 (Abramowitz and Stegun, 26.7.5). #}
{% macro critical(df) -%}
  {%- set exact = ['12.706204736174694', '4.302652729749462', '3.1824463052837078', '2.7764451051977934', '2.5705818356363146', '2.4469118511449786', '2.364624251592784', '2.306004135204166', '2.262157162798205', '2.228138851986274', '2.200985160091639', '2.1788128296672284', '2.1603686564627913', '2.144786687917804', '2.131449545559776', '2.1199052992212546', '2.1098155778333156', '2.1009220402410382', '2.0930240544083087', '2.085963447265864'] -%}
CASE{% for value in exact %} WHEN {{ df }} = {{ loop.index }} THEN {{ value }}{% endfor %}
      WHEN {{ df }} > 20 THEN 1.959963984540054 + (2.372271230298562 + (2.8224986157396112 + (2.555849679507722 + 1.5895340533938225 / {{ df }}) / {{ df }}) / {{ df }}) / {{ df }} END
{%- endmacro %}

{# The means that are worse than those of the baseline, and a row if there is nothing to compare.

   Without a margin, worse means significantly worse: the whole interval of 95 % is below 0, or above 0 if lower is better.
   Two rows for a query are an error: their values would be mixed. #}
{% test metric_not_worse_than(
  model, metric, baseline=none, baseline_values=none, query='query', by=none, per_query=true, margin=none,
  model_column='model', filter=none
) %}
  {%- do recall_duckdb.check_where('baseline_values', baseline_values) -%}
  {%- if margin is not none -%}
    {%- do recall_duckdb.check_number('margin', margin) -%}
    {%- do recall_duckdb.refuse_if(margin < 0, 'margin: ' ~ margin ~ ' is below 0: pass how much a mean may be lower, 0 or more') -%}
  {%- endif -%}
  {%- if not per_query -%}
    {{- recall_duckdb.means_not_worse(model, metric, baseline, baseline_values, by, margin, model_column, filter) -}}
  {%- else -%}
  {%- set compared = recall_duckdb.compare(model, metric, baseline, baseline_values, query, by, model_column, 0, filter) -%}
  {%- set names, slices = [], recall_duckdb.columns_of('by', by) -%}
  {%- for m in recall_duckdb.tested_metrics(metric, true) -%}{%- do names.append(m.column) -%}{%- endfor -%}
WITH rd_compared_all AS (
  {{ compared | trim | indent(2) }}
), rd_asked AS (
  {%- for name in names %}
  SELECT '{{ dbt.escape_single_quotes(name) }}' AS asked_metric, {{ -1 if recall_duckdb.is_lower(name) else 1 }} AS direction{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_found AS (
  SELECT metric AS found_metric, SUM(queries) AS all_pairs
  FROM rd_compared_all
  GROUP BY metric
), rd_copies AS (
  SELECT COALESCE(MAX(copies), 0) AS rows_per_query
  FROM (
    {%- for relation, keys in [[model, [model_column]], [baseline_values, []]] if relation is not none %}
    SELECT COUNT(*) AS copies
    FROM {{ relation }}
    {%- if filter %}
    WHERE {{ filter }}
    {%- endif %}
    GROUP BY {{ (keys + recall_duckdb.columns_of('query', query)) | join(', ') }}{{ '\n    UNION ALL' if not loop.last and baseline_values is not none }}
    {%- endfor %}
  ) AS rd_counted
)
SELECT asked_metric AS metric, model{% for name in slices %}, {{ name }}{% endfor %}, queries, baseline, value, delta, low, high, rows_per_query
FROM rd_asked
CROSS JOIN rd_copies
LEFT JOIN rd_found ON asked_metric = found_metric
LEFT JOIN (
  SELECT metric AS compared_metric, model{% for name in slices %}, {{ name }}{% endfor %}, queries, baseline, value, delta, low, high
  FROM rd_compared_all
) AS rd_rows ON asked_metric = compared_metric
WHERE COALESCE(all_pairs, 0) = 0 OR COALESCE(queries, 0) = 0 OR rows_per_query > 1
  OR {{ '(direction = 1 AND high < 0) OR (direction = -1 AND low > 0)' if margin is none else 'direction * delta < -(' ~ margin ~ ' + 1e-12)' }}
  {%- endif -%}
{% endtest %}

{# The means that are worse than those of the baseline by more than a margin. Slices may be NULL, so nothing joins them. #}
{% macro means_not_worse(model, metric, baseline, baseline_values, by, margin, model_column, filter) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.refuse_if(margin is none, 'margin: means have no interval: pass how much worse a mean may be, 0 or more, or test values per query') -%}
  {%- do recall_duckdb.refuse_if((baseline is none) == (baseline_values is none), 'baseline, baseline_values: pass exactly one of the two: the name of a model, or the relation of its means') -%}
  {%- set by, tested = recall_duckdb.columns_of('by', by), recall_duckdb.tested_metrics(metric, false) -%}
  {%- set name, own = 'NULL' if baseline is none else recall_duckdb.text_literal('baseline', baseline), (['value_no'] + by) | join(', ') -%}
  {%- set sides = [[model, 0, '1 = 1' if baseline is none else model_column ~ ' <> ' ~ name], [baseline_values or model, 1, '1 = 1' if baseline is none else model_column ~ ' = ' ~ name]] -%}
WITH rd_asked AS (
  {%- for m in tested %}
  SELECT {{ loop.index }} AS asked_no, {{ dbt.string_literal(m.name) }} AS metric, {{ m.k or 0 }} AS k, {{ -1 if recall_duckdb.is_lower(m.name) else 1 }} AS direction{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_values AS (
  {%- for m in tested %}
  {%- set of_metric = loop %}
  {%- for relation, is_base, condition in sides %}
  SELECT {{ of_metric.index }} AS value_no, {{ is_base }} AS is_base, {{ model_column if not is_base or baseline is not none else "''" }} AS tested_model,
    {% for column in by %}{{ column }}, {% endfor %}CAST(value AS {{ recall_duckdb.type_double() }}) AS own_value
  FROM {{ relation }}
  WHERE metric = {{ dbt.string_literal(m.name) }} AND COALESCE(k, 0) = {{ m.k or 0 }} AND {{ condition }}
  {%- if filter %} AND ({{ filter }}
  )
  {%- endif %}
  {{- '\n  UNION ALL' if not (loop.last and of_metric.last) }}
  {%- endfor %}
  {%- endfor %}
), rd_matched AS (
  SELECT is_base, tested_model AS model, {{ own }}, own_value AS value,
    MAX(CASE WHEN is_base = 1 THEN own_value END) OVER (PARTITION BY {{ own }}) AS baseline, SUM(is_base) OVER (PARTITION BY {{ own }}) AS baseline_rows
  FROM rd_values
)
SELECT metric, k, model, {% for column in by %}{{ column }}, {% endfor %}value, baseline, baseline_rows
FROM rd_asked
LEFT JOIN (SELECT rd_matched.*, 1 AS is_found FROM rd_matched WHERE is_base = 0) AS rd_tested ON asked_no = value_no
WHERE COALESCE(is_found, 0) = 0 OR COALESCE(baseline_rows, 0) <> 1 OR {{ recall_duckdb.no_number('value') }} OR {{ recall_duckdb.no_number('baseline') }}
  OR direction * (value - baseline) < -({{ margin }} + 1e-12)
{% endmacro %}
