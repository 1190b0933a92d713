{# The statement of a question: the relations that it needs, each after the relations that it reads. #}
{% macro composed(q, per_query=false, pool=false) %}
  {%- if per_query is not boolean -%}
    {%- do recall_duckdb.refuse('per_query: true or false is expected, not ' ~ per_query) -%}
  {%- endif -%}
  {%- if pool -%}
    {%- do recall_duckdb.check_names('query, item', q.queries | map(attribute='name') | list + [q.item], []) -%}
    {%- set answer = recall_duckdb.unjudged_items(q) | trim -%}
  {%- elif per_query -%}
    {%- do recall_duckdb.check_names('query', q.queries | map(attribute='name') | list, []) -%}
    {%- set answer = recall_duckdb.values_per_query(q) | trim -%}
  {%- else -%}
    {%- set answer = recall_duckdb.relation_means(q) | trim -%}
  {%- endif -%}
  {%- do recall_duckdb.tell_unchecked() -%}
  {{- recall_duckdb.statement(q, answer) -}}
{%- endmacro %}


{# A SELECT, after the relations that it reads. #}
{% macro statement(q, answer) %}
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


{# The relations of a question, each before the relations that read it. #}
{% macro pipeline(q) %}
  {%- set known = recall_duckdb.facts().pipeline -%}
  {%- set found = [] -%}
  {%- for name in known.shared -%}
    {%- do found.append({'name': name, 'relation': name, 'judging': 0}) -%}
  {%- endfor -%}
  {%- for name in known.judged -%}
    {%- for judging in q.judgings -%}
      {%- do found.append({'name': name ~ judging.suffix, 'relation': name, 'judging': judging.number}) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- for m in q.metrics if not m.plain -%}
    {%- do found.append({'name': m.column, 'metric': m, 'judging': m.judging}) -%}
  {%- endfor -%}
  {%- for name in known.summary -%}
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
  {%- elif each.name == 'named_models' -%}
    {%- for name in q.named_models -%}
      SELECT {{ name }} AS model{{ '\nUNION ALL\n' if not loop.last }}
    {%- endfor -%}
  {%- elif each.name == 'metrics' -%}
    {%- for m in q.metrics -%}
      {{ recall_duckdb.relation_metrics(q, m) | trim }}{{ '\nUNION ALL\n' if not loop.last }}
    {%- endfor -%}
  {%- else -%}
    {{ recall_duckdb.relation_of_pipeline(q, q.variants.get(each.relation, each.relation)) }}
  {%- endif -%}
{% endmacro %}


{# The name of a relation to read, or of the relation that replaces it if it is skipped. #}
{% macro read(q, relation) %}
  {%- set facts = recall_duckdb.facts() -%}
  {%- set instead = recall_duckdb.instead(q, relation) -%}
  {%- set name = relation -%}
  {%- if instead is not none -%}
    {%- set name = instead -%}
  {%- elif name in facts.labelled and 'labelled' in q.sources -%}
    {%- set name = 'labelled' -%}
  {%- elif name == 'named_models' and q.has_model_column -%}
    {%- set name = 'given_models' -%}
  {%- endif -%}
  {%- if name in facts.pipeline.judged -%}
    {%- set name = name ~ q.judging.suffix -%}
  {%- endif -%}
  {%- do q.reads.append(name) -%}
  {{- return('rd_' ~ name) -}}
{% endmacro %}


{# A relation that is read twice is computed once. An input is read in place each time. Only DuckDB needs the hint. #}
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


{# The unjudged items that a metric reads, under the user's names. Our column gets _1 if the user has its name. #}
{% macro unjudged_items(q) %}
  {%- set theirs = [recall_duckdb.bare(q.item)] -%}
  {%- for query in q.queries -%}
    {%- do theirs.append(recall_duckdb.bare(query.name)) -%}
  {%- endfor %}
SELECT
  {%- for query in q.queries %}
  unjudged.{{ query.column }} AS {{ query.name }},
  {%- endfor %}
  unjudged.item AS {{ q.item }},
  unjudged.best_rank AS best_rank{{ '_1' if 'best_rank' in theirs }},
  unjudged.models AS models{{ '_1' if 'models' in theirs }}
FROM {{ recall_duckdb.read(q, 'pool') }} AS unjudged
{% endmacro %}


{# Models, queries and slices under the user's names, and a column for each metric per query, such as recall_at_10.

   Columns are qualified for ClickHouse: given `slice AS query`, it would read that alias in `query AS user_id`. #}
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
