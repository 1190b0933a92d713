{# Compare models with a baseline by their values of queries: means, mean difference and its interval of 95 %. #}
{% macro compare(
  values, metrics, baseline=none, baseline_values=none, query='query', by=none, model='model', tie_within=0, filter=none
) %}
  {%- set q = recall_duckdb.question_of_values({
    'values': values, 'metrics': metrics, 'baseline': baseline, 'baseline_values': baseline_values, 'query': query,
    'by': by, 'model': model, 'tie_within': tie_within, 'filter': filter
  }) -%}
  {%- set lower = q.metrics | map(attribute='name') | select('in', q.lower) | list -%}
  {%- if not lower -%}
    {{- recall_duckdb.compared(q) -}}
  {%- else %}
SELECT
  model,
  {%- for name in recall_duckdb.columns_of('by', by) %}
  {{ name }},
  {%- endfor %}
  metric,
  queries,
  baseline,
  value,
  delta,
  sd,
  low,
  high,
  CASE WHEN metric IN ('{{ lower | join("', '") }}') THEN losses ELSE wins END AS wins,
  ties,
  CASE WHEN metric IN ('{{ lower | join("', '") }}') THEN wins ELSE losses END AS losses,
  t
FROM (
  {{ recall_duckdb.compared(q) | trim | indent(2) }}
) AS rd_compared
  {%- endif -%}
{% endmacro %}


{# The question of a comparison: its metrics are columns of values, and the baseline is a model. #}
{% macro question_of_values(asked) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.check_number('tie_within', asked.tie_within) -%}
  {%- if asked.tie_within < 0 -%}
    {%- do recall_duckdb.refuse('tie_within: ' ~ asked.tie_within ~ ' is below 0: pass the largest difference that is a tie, 0 or more') -%}
  {%- endif -%}
  {%- if (asked.baseline is none) == (asked.baseline_values is none) -%}
    {%- do recall_duckdb.refuse('baseline, baseline_values: pass exactly one of the two: the name of a model, or the relation of its values') -%}
  {%- endif -%}
  {%- set query = recall_duckdb.columns_of('query', asked.query) -%}
  {%- set by = recall_duckdb.columns_of('by', asked.by) -%}
  {%- set columns = [] -%}
  {%- for m in recall_duckdb.tested_metrics(asked.metrics, true) if recall_duckdb.columns_of('metrics', asked.metrics) -%}
    {%- do columns.append(m.column) -%}
  {%- endfor -%}
  {%- if not query -%}
    {%- do recall_duckdb.refuse_as('no_query', {}) -%}
  {%- endif -%}
  {%- if not columns -%}
    {%- do recall_duckdb.refuse('metrics: name at least one column of values, such as recall_at_10') -%}
  {%- endif -%}
  {%- do recall_duckdb.check_names('by', by, ['model', 'metric', 'queries', 'baseline', 'value', 'delta', 'sd', 'low', 'high', 'wins', 'ties', 'losses', 't']) -%}
  {%- set found = [] -%}
  {%- for column in columns -%}
    {%- do found.append({'number': loop.index, 'name': recall_duckdb.escaped('metrics', column), 'k': none, 'column': 'value_of_' ~ loop.index, 'of': column}) -%}
  {%- endfor -%}
  {%- set q = {
    'queries': recall_duckdb.numbered('query', query), 'slices': recall_duckdb.numbered('slice', by), 'metrics': found,
    'baseline': 'rd_baseline' if asked.baseline is none else recall_duckdb.escaped('baseline', asked.baseline),
    'models': true, 'tie_within': asked.tie_within, 'ids_as_text': false, 'nulls': 'last', 'sources': {}, 'reads': [],
    'variants': {}, 'judging': {},
  } -%}
  {%- set lower = [] -%}
  {%- for m in found if recall_duckdb.is_lower(m.of) -%}
    {%- do lower.append(m.name) -%}
  {%- endfor -%}
  {%- do q.update({'lower': lower}) -%}
  {%- set numbers = [] -%}
  {%- for m in found -%}
    {%- do numbers.append([m.of, m.column]) -%}
  {%- endfor -%}
  {%- set keys = recall_duckdb.renamed(query, q.queries) -%}
  {%- set extras = recall_duckdb.renamed(by, q.slices) -%}
  {%- do recall_duckdb.add_source(q, 'per_query', asked['values'], asked.filter, [[asked.model, 'model']] + keys, numbers, extras) -%}
  {%- if asked.baseline_values is not none -%}
    {%- do recall_duckdb.add_source(q, 'per_query', asked.baseline_values, asked.filter, [["'rd_baseline'", 'model']] + keys, numbers, extras) -%}
  {%- endif -%}
  {{- return(q) -}}
{% endmacro %}


{# The statement of a comparison: its relations, each after the relations that it reads. #}
{% macro compared(q) %}
  WITH rd_per_query AS (
  {{ recall_duckdb.relation(q, {'name': 'per_query', 'relation': 'per_query'}) | trim | indent(2) }}
), rd_metrics AS (
  {{ recall_duckdb.relation(q, {'name': 'metrics', 'relation': 'metrics'}) | trim | indent(2) }}
), rd_scales AS (
  {{ recall_duckdb.relation_scales(q) | trim | indent(2) }}
), rd_pairs AS (
  {{ recall_duckdb.relation_pairs(q) | trim | indent(2) }}
), rd_sums AS (
  {{ recall_duckdb.relation_sums(q) | trim | indent(2) }}
)
{{ recall_duckdb.relation_paired_means(q) | trim }}
{% endmacro %}


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
    {%- if margin < 0 -%}
      {%- do recall_duckdb.refuse('margin: ' ~ margin ~ ' is below 0: pass how much a mean may be lower, 0 or more') -%}
    {%- endif -%}
  {%- endif -%}
  {%- if not per_query -%}
    {{- recall_duckdb.means_not_worse(model, metric, baseline, baseline_values, by, margin, model_column, filter) -}}
  {%- else -%}
  {%- set q = recall_duckdb.question_of_values({
    'values': model, 'metrics': metric, 'baseline': baseline, 'baseline_values': baseline_values, 'query': query,
    'by': by, 'model': model_column, 'tie_within': 0, 'filter': filter
  }) -%}
  {%- set names = [] -%}
  {%- for name in recall_duckdb.columns_of('by', by) -%}
    {%- do names.append(name) -%}
  {%- endfor -%}
  {%- set names_of_lower = "asked_metric IN ('" ~ q.lower | join("', '") ~ "')" if q.lower else '1 = 0' -%}
  {%- set rose = 'low > 0' if margin is none else 'delta > ' ~ margin ~ ' + 1e-12' -%}
  {%- set fell = 'high < 0' if margin is none else 'delta < -(' ~ margin ~ ' + 1e-12)' -%}
  {%- set worse = '(' ~ names_of_lower ~ ' AND ' ~ rose ~ ') OR (NOT ' ~ names_of_lower ~ ' AND ' ~ fell ~ ')' if q.lower else fell -%}
WITH rd_compared AS (
  {{ recall_duckdb.compared(q) | trim | indent(2) }}
), rd_asked AS (
  {%- for m in q.metrics %}
  SELECT '{{ m.name }}' AS asked_metric{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_found AS (
  SELECT metric AS found_metric, SUM(queries) AS pairs
  FROM rd_compared
  GROUP BY metric
), rd_copies AS (
  SELECT COALESCE(MAX(copies), 0) AS rows_per_query
  FROM (
    SELECT COUNT(*) AS copies
    FROM {{ model }}
    {%- if filter %}
    WHERE {{ filter }}
    {%- endif %}
    GROUP BY {{ model_column }}, {{ recall_duckdb.columns_of('query', query) | join(', ') }}
    {%- if baseline_values is not none %}
    UNION ALL
    SELECT COUNT(*) AS copies
    FROM {{ baseline_values }}
    {%- if filter %}
    WHERE {{ filter }}
    {%- endif %}
    GROUP BY {{ recall_duckdb.columns_of('query', query) | join(', ') }}
    {%- endif %}
  ) AS rd_counted
)
SELECT
  asked_metric AS metric,
  model,
  {%- for name in names %}
  {{ name }},
  {%- endfor %}
  queries,
  baseline,
  value,
  delta,
  low,
  high,
  rows_per_query
FROM rd_asked
CROSS JOIN rd_copies
LEFT JOIN rd_found
  ON asked_metric = found_metric
LEFT JOIN (
  SELECT
    metric AS compared_metric,
    model,
    {%- for name in names %}
    {{ name }},
    {%- endfor %}
    queries,
    baseline,
    value,
    delta,
    low,
    high
  FROM rd_compared
) AS rd_rows
  ON asked_metric = compared_metric
WHERE
  COALESCE(pairs, 0) = 0
  OR COALESCE(queries, 0) = 0
  OR rows_per_query > 1
  OR {{ worse }}
  {%- endif -%}
{% endtest %}


{# The means that are worse than those of the baseline by more than a margin. Slices may be NULL, so nothing joins them. #}
{% macro means_not_worse(model, metric, baseline, baseline_values, by, margin, model_column, filter) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- if margin is none -%}
    {%- do recall_duckdb.refuse('margin: means have no interval: pass how much worse a mean may be, 0 or more, or test values per query') -%}
  {%- endif -%}
  {%- if (baseline is none) == (baseline_values is none) -%}
    {%- do recall_duckdb.refuse('baseline, baseline_values: pass exactly one of the two: the name of a model, or the relation of its means') -%}
  {%- endif -%}
  {%- set by = recall_duckdb.columns_of('by', by) -%}
  {%- set tested = recall_duckdb.tested_metrics(metric, false) -%}
  {%- set name = 'NULL' if baseline is none else recall_duckdb.text_literal('baseline', baseline) -%}
  {%- set sides = [[model, 0, '1 = 1' if baseline is none else model_column ~ ' <> ' ~ name]] -%}
  {%- do sides.append([baseline_values or model, 1, '1 = 1' if baseline is none else model_column ~ ' = ' ~ name]) -%}
WITH rd_asked AS (
  {%- for m in tested %}
  SELECT
    {{ loop.index }} AS asked_no,
    {{ dbt.string_literal(m.name) }} AS metric,
    {{ m.k or 0 }} AS k,
    {{ -1 if recall_duckdb.is_lower(m.name) else 1 }} AS direction{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
), rd_values AS (
  {%- for m in tested %}
  {%- set of_metric = loop %}
  {%- for relation, is_base, condition in sides %}
  SELECT
    {{ of_metric.index }} AS value_no,
    {{ is_base }} AS is_base,
    {{ model_column ~ ' AS tested_model,' if not is_base or baseline is not none else "'' AS tested_model," }}
    {%- for column in by %}
    {{ column }},
    {%- endfor %}
    CAST(value AS {{ recall_duckdb.type_double() }}) AS own_value
  FROM {{ relation }}
  WHERE metric = {{ dbt.string_literal(m.name) }} AND COALESCE(k, 0) = {{ m.k or 0 }} AND {{ condition }}
  {%- if filter %} AND ({{ filter }}
  )
  {%- endif %}
  {{- '\n  UNION ALL' if not (loop.last and of_metric.last) }}
  {%- endfor %}
  {%- endfor %}
), rd_matched AS (
  SELECT
    value_no,
    is_base,
    tested_model AS model,
    {%- for column in by %}
    {{ column }},
    {%- endfor %}
    own_value AS value,
    MAX(CASE WHEN is_base = 1 THEN own_value END) OVER (PARTITION BY {{ (['value_no'] + by) | join(', ') }}) AS baseline,
    SUM(is_base) OVER (PARTITION BY {{ (['value_no'] + by) | join(', ') }}) AS baseline_rows
  FROM rd_values
)
SELECT
  metric,
  k,
  model,
  {%- for column in by %}
  {{ column }},
  {%- endfor %}
  value,
  baseline,
  baseline_rows
FROM rd_asked
LEFT JOIN (
  SELECT rd_matched.*, 1 AS is_found
  FROM rd_matched
  WHERE is_base = 0
) AS rd_tested
  ON asked_no = value_no
WHERE
  COALESCE(is_found, 0) = 0
  OR COALESCE(baseline_rows, 0) <> 1
  OR {{ recall_duckdb.no_number('value') }}
  OR {{ recall_duckdb.no_number('baseline') }}
  OR direction * (value - baseline) < -({{ margin }} + 1e-12)
{% endmacro %}
