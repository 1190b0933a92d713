{# The metrics asked for, in one statement: their means in long form or, as per_query, a row for each judged query. #}
{% macro evaluate(
  metrics, run, qrels=none,
  query='query', item='item', score='score', rank=none, relevance='relevance', model=none, by=none, by_in='qrels',
  qrels_query=none, qrels_item=none, filter=none, qrels_filter=none, per_query=false,
  exclude=none, items=none, weights=none, training=none, catalog=none, features=none, pairs=none,
  no_relevant='zero', missing='zero', ties='item_desc', duplicates=none, nulls='last', precision='k',
  semantics='trec_eval_10', threshold=none, min_score=none
) %}
  {%- set q = recall_duckdb.question(
    metrics, run, qrels, query, item, score, rank, relevance, model, by, by_in, qrels_query, qrels_item, filter,
    qrels_filter, exclude, items, weights, training, catalog, features, pairs, no_relevant, missing, ties, duplicates,
    nulls, precision, semantics, threshold, min_score
  ) -%}
  {{- recall_duckdb.composed(q, per_query) -}}
{% endmacro %}


{# The statement of a question: the relations that its answer needs, each behind those that it reads. #}
{% macro composed(q, per_query) %}
  {%- if per_query is not boolean -%}
    {%- do recall_duckdb.refuse('per_query: true or false is expected, not ' ~ per_query) -%}
  {%- endif -%}
  {%- if per_query -%}
    {%- do recall_duckdb.check_names('query', q.queries | map(attribute='name') | list, []) -%}
    {%- set answer = recall_duckdb.values_per_query(q) | trim -%}
  {%- else -%}
    {%- set answer = recall_duckdb.relation_means(q) | trim -%}
  {%- endif -%}
  {%- set needed = [] -%}
  {%- for each in recall_duckdb.pipeline(q) | reverse -%}
    {%- if each.name in q.reads -%}
      {%- do q.update({'judging': q.judgings[each.judging]}) -%}
      {%- do needed.append([each.name, recall_duckdb.relation(q, each) | trim]) -%}
    {%- endif -%}
  {%- endfor -%}
  WITH {% for name, text in needed | reverse -%}
  rd_{{ name }} AS {{ recall_duckdb.materialized(q, name) }}(
  {{ text | indent(2) }}
)
{%- if not loop.last %}, {% endif -%}
  {%- endfor %}
{{ answer }}
{%- endmacro %}


{# The relations that there are for a question, each before those that read it. #}
{% macro pipeline(q) %}
  {%- set found = [] -%}
  {%- for name in [
    'labelled', 'run_source', 'qrels_source', 'exclude', 'items', 'weights', 'training', 'catalog', 'features', 'pairs',
    'run', 'qrels', 'listed', 'excluded', 'candidates', 'judgements', 'ranked', 'retrieved', 'models', 'shown',
    'catalog_items', 'held_items', 'training_size', 'unit_features', 'similarities', 'slices', 'weighted'
  ] -%}
    {%- do found.append({'name': name, 'relation': name, 'judging': 0}) -%}
  {%- endfor -%}
  {%- for name in ['graded', 'ideal', 'tied_groups', 'judged', 'measured'] -%}
    {%- for judging in q.judgings -%}
      {%- do found.append({'name': name ~ judging.suffix, 'relation': name, 'judging': judging.number}) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- for m in q.metrics if not m.plain -%}
    {%- do found.append({'name': m.column, 'metric': m, 'judging': m.judging}) -%}
  {%- endfor -%}
  {%- for name in ['per_query', 'averages', 'metrics'] -%}
    {%- do found.append({'name': name, 'relation': name, 'judging': 0}) -%}
  {%- endfor -%}
  {{- return(found) -}}
{% endmacro %}


{# The text of one relation of the pipeline. #}
{% macro relation(q, each) %}
  {%- if each.metric is defined -%}
    {{ recall_duckdb.metric(q, each.metric) }}
  {%- elif each.name in q.sources -%}
    {%- for source in q.sources[each.name] -%}
      {{ recall_duckdb.relation_source(q, source) | trim }}{{ '\nUNION ALL\n' if not loop.last }}
    {%- endfor -%}
  {%- elif each.name == 'metrics' -%}
    {%- for m in q.metrics -%}
      {{ recall_duckdb.relation_metrics(q, m) | trim }}{{ '\nUNION ALL\n' if not loop.last }}
    {%- endfor -%}
  {%- else -%}
    {{ recall_duckdb.relation_of_pipeline(q, q.variants.get(each.relation, each.relation)) }}
  {%- endif -%}
{% endmacro %}


{# The name of a relation where it is read, or of the one that stands for it where a question has no need of it. #}
{% macro read(q, relation) %}
  {%- set instead = {
    'candidates': 'candidates' if q.has_exclude or q.has_items else 'run',
    'judgements': 'judgements' if q.has_items else 'qrels',
    'run_source': 'labelled' if 'labelled' in q.sources else 'run_source',
    'qrels_source': 'labelled' if 'labelled' in q.sources else 'qrels_source',
  } -%}
  {%- set name = instead.get(relation, relation) -%}
  {%- if name in ['graded', 'ideal', 'tied_groups', 'judged', 'measured'] -%}
    {%- set name = name ~ q.judging.suffix -%}
  {%- endif -%}
  {%- do q.reads.append(name) -%}
  {{- return('rd_' ~ name) -}}
{% endmacro %}


{# A relation read twice is computed once, but an input is read where it lies: DuckDB alone is told so. #}
{% macro materialized(q, name) %}
  {{- return(adapter.dispatch('materialized', 'recall_duckdb')(q, name)) -}}
{% endmacro %}

{% macro default__materialized(q, name) %}{% endmacro %}

{% macro duckdb__materialized(q, name) %}
  {%- set inputs = ['run', 'qrels'] + (q.sources.keys() | list) -%}
  {%- if name not in inputs -%}
    {{- 'MATERIALIZED ' if q.reads.count(name) > 1 -}}
  {%- else -%}
    {%- for each in inputs if q.reads.count(each) > 1 -%}
      {{- 'NOT MATERIALIZED ' if loop.first -}}
    {%- endfor -%}
  {%- endif -%}
{% endmacro %}


{# Models, queries and slices under the user's names, and a column for each metric of queries, as in recall_at_10.

   ClickHouse would take `slice AS query` for what `query AS user_id` reads, were that not of a relation. #}
{% macro values_per_query(q) %}
  {%- set of = 'rd_per_query.' if adapter.type() == 'clickhouse' else '' %}
SELECT
  {{ of ~ 'model' if q.models else q.only_model }} AS model
  {%- for query in q.queries %},
  {{ of }}{{ query.column }} AS {{ query.name }}
  {%- endfor %}
  {%- for slice in q.slices if slice.name not in q.queries | map(attribute='name') %},
  {{ of }}{{ slice.column }} AS {{ slice.name }}
  {%- endfor %}
  {%- for m in q.metrics if not m.whole_run %},
  {{ of }}{{ m.column }} AS {{ m.column }}
  {%- endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
{% endmacro %}
