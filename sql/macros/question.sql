{# The arguments that `evaluate` takes by name, with their defaults. The relations of `facts().optional_inputs`, such as
   exclude, are none by default too. #}
{% macro defaults() %}
  {{- return({
    'query': 'query', 'item': 'item', 'score': 'score', 'rank': none, 'relevance': 'relevance', 'model': none,
    'qrels_query': none, 'qrels_item': none, 'filter': none, 'qrels_filter': none, 'by': none, 'by_in': 'qrels',
    'per_query': false, 'no_relevant': 'zero', 'missing': 'zero', 'order': none, 'threshold': none, 'min_score': none,
  }) -}}
{% endmacro %}

{# The arguments with their defaults; refuse those that a macro does not have. #}
{% macro arguments(macro, given, other) %}
  {%- set facts, asked, own = recall_duckdb.facts(), recall_duckdb.defaults(), ['metrics', 'run', 'qrels'] -%}
  {%- for name in facts.optional_inputs -%}{%- do asked.update({name: none}) -%}{%- endfor -%}
  {%- set known = '. Its arguments: ' ~ (own + asked | list + other) | join(', ') -%}
  {%- for name in given if name not in asked -%}
    {%- do recall_duckdb.refuse_if(name in own, macro ~ ' is given ' ~ name ~ ' twice' ~ known) -%}
    {%- do recall_duckdb.refuse_if(name in facts.of_python, name ~ ': the dbt package has no such argument. ' ~ recall_duckdb.written()) -%}
    {%- do recall_duckdb.refuse(macro ~ ' has no argument ' ~ name ~ known) -%}
  {%- endfor -%}
  {%- do asked.update(given) -%}
  {{- return(asked) -}}
{% endmacro %}
{# The question that the arguments ask: metrics, judgings, and the relations to read with their columns.
   macro: the macro that the user called, for messages; given: the arguments by name; other: those that `macro` has besides. #}
{% macro question(macro, metrics, run, qrels, given, other=[]) %}
  {%- set facts, asked = recall_duckdb.facts(), recall_duckdb.arguments(macro, given, other) -%}
  {%- do recall_duckdb.check_adapter() -%}
  {%- for name, choices in {'no_relevant': ['zero', 'skip'], 'missing': ['zero', 'skip'], 'by_in': ['qrels', 'run'], 'order': [none, 'descending', 'ascending'], 'per_query': [true, false]}.items() -%}
    {%- do recall_duckdb.check_choice(name, asked[name], choices) -%}
  {%- endfor -%}
  {%- set rank, relevance, score, model, min_score = asked.rank, asked.relevance, asked.score, asked.model, asked.min_score -%}
  {%- for name in ['threshold', 'min_score'] if asked[name] is not none -%}{%- do recall_duckdb.check_number(name, asked[name]) -%}{%- endfor -%}
  {%- do recall_duckdb.refuse_if(asked.threshold is not none and asked.threshold <= 0, 'threshold: ' ~ asked.threshold ~ ' is not above 0: relevance of 0 or below is never relevant; shift your relevance if its scale begins lower') -%}
  {%- do recall_duckdb.refuse_if(rank is not none and min_score is not none, 'min_score: it needs a score, but the run has a rank column: leave it out') -%}
  {%- do recall_duckdb.refuse_if(rank is not none and score != 'score', 'score: ' ~ rank ~ ' (rank=) already ranks the items: pass only one of the two') -%}
  {%- do recall_duckdb.refuse_if(rank is not none and asked.order is not none, 'order: ' ~ asked.order ~ ' needs a score, but the run has a rank column: leave it out') -%}
  {%- do recall_duckdb.refuse_if(min_score is not none and asked.order == 'ascending', "min_score: it is a lowest score, but with order='ascending' low scores are the best. Leave it out, and remove the rows with high scores from the run") -%}
  {%- do recall_duckdb.refuse_if(min_score is not none and asked.missing == 'skip', "min_score: it does not go with missing='skip', because a list below it is not missing. Leave out one of the two") -%}

  {%- set query, by = recall_duckdb.columns_of('query', asked.query), recall_duckdb.columns_of('by', asked.by) -%}
  {%- set qrels_query, qrels_item = recall_duckdb.columns_of('qrels_query', asked.qrels_query) or query, asked.qrels_item or asked.item -%}
  {%- do recall_duckdb.refuse_if(not query, 'query: name the column, or columns, that say which query a row belongs to') -%}
  {%- do recall_duckdb.refuse_if(qrels_query | length != query | length, 'qrels_query: ' ~ qrels_query ~ ' must be as many columns as query: ' ~ query) -%}
  {%- do recall_duckdb.refuse_if(asked.query_slices is not none and not by, 'query_slices: pass by= too, which names the column of it that holds the slices') -%}
  {%- for name in ['item', 'score', 'rank', 'relevance', 'model', 'qrels_item'] if asked[name] is not none -%}
    {%- do recall_duckdb.refuse_if(asked[name] is not string or not asked[name] | trim, name ~ ': one column is expected, not ' ~ asked[name]) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(relevance is string and relevance | lower == 'none', 'relevance: ' ~ relevance ~ ' in quotes is a column name: write none, or null in YAML') -%}
  {%- if rank is none and asked.order is none -%}
    {%- do recall_duckdb.refuse_if(modules.re.search(facts.distance, recall_duckdb.bare(score)), 'score: ' ~ score ~ " is usually a distance, of which the lowest is the best. Pass order='ascending' or, if the highest is the best, order='descending'") -%}
    {%- do recall_duckdb.refuse_if(recall_duckdb.bare(score) | replace('_', '') in facts.ranks, 'score: ' ~ score ~ ' is usually a rank, of which the lowest is the best. Pass rank=' ~ score ~ ", or order='ascending' or, if the highest is the best, order='descending'") -%}
  {%- endif -%}
  {%- do recall_duckdb.check_roles({'query': query, 'item': [asked.item], 'score': [score] if rank is none else [], 'rank': [rank], 'model': [model], 'relevance': [relevance] if qrels is none else []}) -%}
  {%- do recall_duckdb.check_roles({'qrels_query': qrels_query, 'qrels_item': [qrels_item], 'relevance': [relevance]}) -%}
  {%- do recall_duckdb.check_names('by', by, facts.result_columns) -%}
  {%- for name in query if recall_duckdb.bare(name) == 'model' -%}
    {%- do recall_duckdb.refuse('query: the result has a column ' ~ name ~ ' of its own: rename the column in your data') -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(qrels is none and (qrels_query != query or asked.qrels_item is not none or asked.qrels_filter is not none), 'qrels_query, qrels_item, qrels_filter: no qrels= was given: pass it, or leave them out') -%}

  {%- set q = {'asked': asked, 'queries': recall_duckdb.numbered('rd_query', query), 'slices': recall_duckdb.numbered('rd_slice', by), 'query_names': query, 'slice_names': by, 'missing': asked.missing, 'max_grade': none} -%}
  {%- do q.update({'query': q.queries | join(', '), 'key': 'rd_model, ' ~ q.queries | join(', '), 'candidates': 'rd_run' if asked.exclude is none else 'rd_candidates'}) -%}
  {%- do recall_duckdb.add_metrics(q, metrics, asked.threshold) -%}
  {%- set labelled = qrels is none and q.metrics | selectattr('needs_judgements') | list | length > 0 -%}
  {%- set by_in = 'query_slices' if asked.query_slices is not none else ('run' if qrels is none else asked.by_in) -%}
  {%- do q.update({'labelled': labelled, 'has_qrels': qrels is not none, 'by_in': by_in if by else 'none'}) -%}
  {%- do recall_duckdb.refuse_if(labelled and relevance is none, 'relevance: without qrels=, name the column of run that says how relevant an item is') -%}
  {%- do recall_duckdb.refuse_if(qrels is none and not labelled and asked.no_relevant != 'zero', 'no_relevant: it needs judgements: pass qrels=, or leave it out') -%}
  {%- for name in query + by -%}{%- for m in q.metrics -%}
    {%- do recall_duckdb.refuse_if(recall_duckdb.bare(name) == m.column, 'query, by: the result has a column ' ~ name ~ ' for the metric: rename the column in your data') -%}
  {%- endfor -%}{%- endfor -%}

  {#- The relations to read: name, the relation, pairs of an expression and its column, the condition. -#}
  {%- set named = recall_duckdb.is_named_runs(run) -%}
  {%- do recall_duckdb.refuse_if(run is none or (named and not run) or (run is not string and run is not mapping), 'run: a relation is expected, or a mapping of model names to relations, not ' ~ run) -%}
  {%- do recall_duckdb.refuse_if(named and model is not none, 'model: pass only one of these: several named runs, a model column') -%}
  {%- set runs, names, sources = run if named else {'run': run}, [], {'rd_run': []} -%}
  {%- for name in runs -%}
    {%- do names.append(recall_duckdb.text_literal('run', name)) -%}
    {%- set own = [[model or names[-1], 'rd_model']] + recall_duckdb.pairs(query, q.queries) + [[asked.item, 'rd_item']] -%}
    {%- set ordered = recall_duckdb.number(rank or score) -%}
    {%- set own = own + ([[rank, 'rd_rank']] if rank is not none else []) + [['0 - ' ~ ordered if rank is not none or asked.order == 'ascending' else ordered, 'rd_score']] -%}
    {%- set own = own + ([[recall_duckdb.number(relevance), 'relevance']] if labelled else []) + (recall_duckdb.pairs(by, q.slices) if by_in == 'run' else []) -%}
    {%- do sources.rd_run.append({'columns': own, 'relation': runs[name], 'filter': asked.filter}) -%}
  {%- endfor -%}
  {%- if qrels is not none -%}
    {%- set of_qrels = {} -%}
    {%- for name in query -%}{%- do of_qrels.update({name | lower: qrels_query[loop.index0]}) -%}{%- endfor -%}
    {%- set qrels_by = [] -%}
    {%- for name in by -%}{%- do qrels_by.append(of_qrels.get(name | lower, name)) -%}{%- endfor -%}
    {%- set own = recall_duckdb.pairs(qrels_query, q.queries) + [[qrels_item, 'rd_item'], ['CAST(1 AS ' ~ recall_duckdb.type_double() ~ ')' if relevance is none else recall_duckdb.number(relevance), 'relevance']] -%}
    {%- do sources.update({'rd_qrels': [{'columns': own + (recall_duckdb.pairs(qrels_by, q.slices) if by_in == 'qrels' else []), 'relation': qrels, 'filter': asked.filter if asked.qrels_filter is none else asked.qrels_filter}]}) -%}
  {%- endif -%}
  {%- for name, columns in facts.optional_inputs.items() if asked[name] is not none -%}
    {%- set own = [] -%}
    {%- for column in columns.names -%}
      {%- do own.extend(recall_duckdb.pairs(query, q.queries) if column == 'query' else [[asked.item, 'rd_item'] if column == 'item' else [column, column]]) -%}
    {%- endfor -%}
    {%- for column in columns.numbers -%}{%- do own.append([recall_duckdb.number(column), column]) -%}{%- endfor -%}
    {%- do sources.update({'rd_' ~ name: [{'columns': own + (recall_duckdb.pairs(by, q.slices) if name == 'query_slices' else []), 'relation': asked[name], 'filter': none}]}) -%}
  {%- endfor -%}
  {%- set needed = ['exclude', 'weights', 'query_slices'] -%}
  {%- for m in q.metrics -%}{%- for name in m.needs -%}
    {%- do recall_duckdb.refuse_if(asked[name] is none, m.name ~ ' needs ' ~ name ~ '=: pass the relation') -%}
    {%- do needed.append(name) -%}
  {%- endfor -%}{%- endfor -%}
  {%- for name in facts.optional_inputs if asked[name] is not none and name not in needed -%}
    {%- do recall_duckdb.refuse(name ~ ': no requested metric reads it: leave it out, or ask for a metric that does') -%}
  {%- endfor -%}
  {%- do q.update({'sources': sources, 'models': names, 'several': model is not none or runs | length > 1}) -%}
  {{- return(q) -}}
{% endmacro %}

{# Stop with a message that names the argument. #}
{% macro refuse(message) %}{%- do exceptions.raise_compiler_error('recall_duckdb: ' ~ message) -%}{% endmacro %}
{% macro refuse_if(is_wrong, message) %}{%- if is_wrong -%}{%- do recall_duckdb.refuse(message) -%}{%- endif -%}{% endmacro %}

{# What says more than the package. #}
{% macro written() %}{{- return('`recall-duckdb sql --form dbt` writes a model with every argument and policy') -}}{% endmacro %}

{# Refuse the `where` of a data test, with which dbt filters the tested relation, if the test reads another one too. #}
{% macro check_where(argument, other) %}
  {%- do recall_duckdb.refuse_if(other is not none and config.get('where'), 'where: dbt filters the tested relation with it, but not ' ~ argument ~ ': pass the condition as the argument filter, which filters both') -%}
{% endmacro %}

{% macro check_adapter() %}
  {%- set known = recall_duckdb.facts().adapters -%}
  {%- do recall_duckdb.refuse_if(adapter.type() not in known, 'the adapter ' ~ adapter.type() ~ ' is not one of ' ~ known | join(', ') ~ ', the supported adapters') -%}
{% endmacro %}

{% macro check_choice(argument, value, choices) %}
  {%- do recall_duckdb.refuse_if(value == 'error', argument ~ ': a macro cannot raise an error for data: use a data test, and leave this out') -%}
  {%- do recall_duckdb.refuse_if(value not in choices, argument ~ ': ' ~ value ~ ' is not one of ' ~ choices | join(', ')) -%}
{% endmacro %}

{% macro check_number(argument, value) %}
  {%- do recall_duckdb.refuse_if(value is string, argument ~ ": a number is expected, not the text '" ~ value ~ "': write it without quotes and exponent, as in 0.25, or filter a var with | as_number") -%}
  {%- do recall_duckdb.refuse_if(value is not number or value is boolean or value != value or value > 1e308 or value < -1e308, argument ~ ': a number is expected, not ' ~ (value if value is defined and value is not none else 'nothing')) -%}
{% endmacro %}

{# Refuse one column of a relation for two arguments; none is an argument that was not given. #}
{% macro check_roles(roles) %}
  {%- set first = {} -%}
  {%- for argument, names in roles.items() -%}{%- for name in names if name is not none -%}
    {%- set other = first.setdefault(recall_duckdb.bare(name), argument) -%}
    {%- do recall_duckdb.refuse_if(other != argument, other ~ ', ' ~ argument ~ ': both name the column ' ~ name ~ ', but a column has one meaning. Name two columns') -%}
  {%- endfor -%}{%- endfor -%}
{% endmacro %}

{# Names of columns of the result; an expression has no name. #}
{% macro check_names(argument, names, taken) %}
  {%- for name in names -%}
    {%- do recall_duckdb.refuse_if(recall_duckdb.bare(name) in taken, argument ~ ': the result has a column ' ~ name ~ ' of its own: rename the column in your data') -%}
    {%- do recall_duckdb.refuse_if(name[0] not in ['"', '`'] and ('(' in name or ' ' in name or "'" in name), argument ~ ': ' ~ name ~ ' is not a column name, which the result needs: compute it in a model, or quote it with adapter.quote') -%}
  {%- endfor -%}
{% endmacro %}

{# A text of the user as a literal. #}
{% macro text_literal(argument, value) %}
  {%- do recall_duckdb.refuse_if(value is not string, argument ~ ': a text is expected, not ' ~ value ~ ". Write it in quotes, as in 'popular'") -%}
  {%- do recall_duckdb.refuse_if('\\' in value or '${' in value, argument ~ ': ' ~ value ~ ' cannot be a name: engines differ in how they read \\ and ${ in text. Rename it') -%}
  {{- return(dbt.string_literal(dbt.escape_single_quotes(value))) -}}
{% endmacro %}

{# One name or a list of them, as a list. #}
{% macro columns_of(argument, value) %}
  {%- set names = [] if value is none else ([value] if value is string else value | list) -%}
  {%- for name in names -%}
    {%- do recall_duckdb.refuse_if(name is not string or not name | trim, argument ~ ': a column name is expected, not ' ~ name) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(names | unique | list | length < names | length, argument ~ ': ' ~ names ~ ' names a column twice') -%}
  {{- return(names) -}}
{% endmacro %}

{# A name without its quotes, in lower case, for comparison. #}
{% macro bare(name) %}{{- return(name | replace('"', '') | replace('`', '') | lower) -}}{% endmacro %}

{# The names of the package for columns of the user: rd_query, or rd_query_1 and rd_query_2. #}
{% macro numbered(canonical, names) %}
  {%- set found = [] -%}
  {%- for name in names -%}{%- do found.append(canonical if names | length == 1 else canonical ~ '_' ~ loop.index) -%}{%- endfor -%}
  {{- return(found) -}}
{% endmacro %}

{# Pairs of an expression and the name of its column. #}
{% macro pairs(expressions, columns) %}
  {%- set found = [] -%}
  {%- for expression in expressions -%}{%- do found.append([expression, columns[loop.index0]]) -%}{%- endfor -%}
  {{- return(found) -}}
{% endmacro %}

{# True if a run is several named runs; a relation of dbt is a mapping too. #}
{% macro is_named_runs(run) %}
  {{- return(run is mapping and not (run.identifier is defined and run.schema is defined and run.type is defined)) -}}
{% endmacro %}
