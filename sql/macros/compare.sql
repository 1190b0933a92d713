{# Compare models with a baseline by their values of queries: means, mean difference and its interval of 95 %. #}
{% macro compare(
  values, metrics, baseline=none, baseline_values=none, query='query', by=none, model='model', tie_within=0, filter=none
) %}
  {%- set q = recall_duckdb.question_of_values({
    'values': values, 'metrics': metrics, 'baseline': baseline, 'baseline_values': baseline_values, 'query': query,
    'by': by, 'model': model, 'tie_within': tie_within, 'filter': filter
  }) -%}
  {{- recall_duckdb.compared(q) -}}
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
  {%- if asked.baseline is not none and (asked.baseline is not string or '\\' in asked.baseline or '${' in asked.baseline) -%}
    {%- do recall_duckdb.refuse('baseline: ' ~ asked.baseline ~ ' cannot be the name of a model: engines differ in how they read \\ and ${ in text. Rename the model') -%}
  {%- endif -%}
  {%- set query = recall_duckdb.columns_of('query', asked.query) -%}
  {%- set by = recall_duckdb.columns_of('by', asked.by) -%}
  {%- set columns = recall_duckdb.columns_of('metrics', asked.metrics) -%}
  {%- if not query -%}
    {%- do recall_duckdb.refuse_as('no_query', {}) -%}
  {%- endif -%}
  {%- if not columns -%}
    {%- do recall_duckdb.refuse('metrics: name at least one column of values, such as recall_at_10') -%}
  {%- endif -%}
  {%- do recall_duckdb.check_names('by', by, ['model', 'metric', 'queries', 'baseline', 'value', 'delta', 'sd', 'low', 'high', 'wins', 'ties', 'losses', 't']) -%}
  {%- set found = [] -%}
  {%- for column in columns -%}
    {%- do found.append({'number': loop.index, 'name': column | replace("'", "''"), 'k': none, 'column': 'value_of_' ~ loop.index, 'of': column}) -%}
  {%- endfor -%}
  {%- set q = {
    'queries': recall_duckdb.numbered('query', query), 'slices': recall_duckdb.numbered('slice', by), 'metrics': found,
    'baseline': 'rd_baseline' if asked.baseline is none else asked.baseline | replace("'", "''"),
    'models': true, 'tie_within': asked.tie_within, 'ids_as_text': false, 'nulls': 'last', 'sources': {}, 'reads': [],
    'given': [], 'variants': {}, 'judging': {},
  } -%}
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

   Without a margin, worse means significantly worse: the whole interval of 95 % is below 0. #}
{% test metric_not_worse_than(
  model, metric, baseline=none, baseline_values=none, query='query', by=none, margin=none, model_column='model', filter=none
) %}
  {%- if margin is not none -%}
    {%- do recall_duckdb.check_number('margin', margin) -%}
    {%- if margin < 0 -%}
      {%- do recall_duckdb.refuse('margin: ' ~ margin ~ ' is below 0: pass how much a mean may be lower, 0 or more') -%}
    {%- endif -%}
  {%- endif -%}
  {%- set q = recall_duckdb.question_of_values({
    'values': model, 'metrics': metric, 'baseline': baseline, 'baseline_values': baseline_values, 'query': query,
    'by': by, 'model': model_column, 'tie_within': 0, 'filter': filter
  }) -%}
  {%- set names = [] -%}
  {%- for name in recall_duckdb.columns_of('by', by) -%}
    {%- do names.append(name) -%}
  {%- endfor -%}
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
  high
FROM rd_asked
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
  OR {{ 'high < 0' if margin is none else 'delta < -(' ~ margin ~ ' + 1e-12)' }}
{% endtest %}
