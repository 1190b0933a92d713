{# What is asked, from the arguments of `evaluate`: columns under canonical names, metrics, judgings, policies. #}
{% macro question(
  metrics, run, qrels, query, item, score, rank, relevance, model, by, by_in, qrels_query, qrels_item, filter,
  qrels_filter, exclude, items, weights, training, catalog, features, pairs, no_relevant, missing, ties, duplicates,
  nulls, precision, semantics, threshold, min_score
) %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- do recall_duckdb.check_choice('no_relevant', no_relevant, ['zero', 'skip']) -%}
  {%- do recall_duckdb.check_choice('missing', missing, ['zero', 'skip']) -%}
  {%- do recall_duckdb.check_choice('ties', ties, ['item_desc', 'item', 'optimistic', 'pessimistic', 'expected']) -%}
  {%- do recall_duckdb.check_choice('duplicates', duplicates, [none, 'best']) -%}
  {%- do recall_duckdb.check_choice('nulls', nulls, ['last', 'drop']) -%}
  {%- do recall_duckdb.check_choice('precision', precision, ['k', 'retrieved']) -%}
  {%- do recall_duckdb.check_choice('semantics', semantics, ['trec_eval_10', 'trec_eval_9']) -%}
  {%- do recall_duckdb.check_choice('by_in', by_in, ['qrels', 'run']) -%}
  {%- set threshold = recall_duckdb.number_or_none('threshold', threshold) -%}
  {%- set min_score = recall_duckdb.number_or_none('min_score', min_score) -%}
  {%- if threshold is not none and threshold <= 0 -%}
    {%- do recall_duckdb.refuse('threshold: ' ~ threshold ~ ' is not above 0: relevance of 0 or below is never relevant; shift your relevance if its scale begins lower') -%}
  {%- endif -%}
  {%- if rank is not none and (ties != 'item_desc' or duplicates == 'best' or min_score is not none) -%}
    {%- do recall_duckdb.refuse('ties, duplicates, min_score: they need a score, but the run has a rank column') -%}
  {%- endif -%}
  {%- if min_score is not none and semantics == 'trec_eval_9' -%}
    {%- do recall_duckdb.refuse('min_score: under semantics=trec_eval_9 scores are rounded to 32 bits, and so would it have to be: compare the scores in filter= instead') -%}
  {%- endif -%}

  {%- set query = recall_duckdb.columns_of('query', query) -%}
  {%- set by = recall_duckdb.columns_of('by', by) -%}
  {%- set qrels_query = recall_duckdb.columns_of('qrels_query', qrels_query) or query -%}
  {%- set qrels_item = qrels_item or item -%}
  {%- if not query -%}
    {%- do recall_duckdb.refuse('query: name the column, or columns, that say which query a row belongs to') -%}
  {%- endif -%}
  {%- if qrels_query | length != query | length -%}
    {%- do recall_duckdb.refuse('qrels_query: ' ~ qrels_query ~ ' must be as many columns as query: ' ~ query) -%}
  {%- endif -%}
  {%- for name in by if recall_duckdb.bare(name) in ['model', 'metric', 'k', 'value', 'queries'] -%}
    {%- do recall_duckdb.refuse('by: the result has a column ' ~ name ~ ' of its own: rename the one in your data') -%}
  {%- endfor -%}
  {%- for name in query if recall_duckdb.bare(name) == 'model' -%}
    {%- do recall_duckdb.refuse('query: the result has a column ' ~ name ~ ' of its own: rename the one in your data') -%}
  {%- endfor -%}
  {%- if qrels is none and (qrels_query != query or qrels_item != item or qrels_filter is not none) -%}
    {%- do recall_duckdb.refuse('qrels_query, qrels_item, qrels_filter: no qrels= was given whose columns they could name') -%}
  {%- endif -%}
  {%- if qrels is none and relevance is none -%}
    {%- do recall_duckdb.refuse('relevance: without qrels=, name the column of run that says how relevant an item is') -%}
  {%- endif -%}

  {%- set q = {
    'queries': recall_duckdb.numbered('query', query), 'slices': recall_duckdb.numbered('slice', by),
    'no_relevant': no_relevant, 'missing': missing, 'nulls': nulls, 'semantics': semantics, 'min_score': min_score,
    'has_exclude': exclude is not none, 'has_items': items is not none, 'has_weights': weights is not none,
    'sources': {}, 'reads': [],
  } -%}
  {%- do recall_duckdb.add_metrics(q, metrics, threshold, precision, ties) -%}
  {%- for name in query + by -%}
    {%- for m in q.metrics if recall_duckdb.bare(name) == m.column -%}
      {%- do recall_duckdb.refuse('query, by: the result has a column ' ~ name ~ ' for the metric: rename the one in your data') -%}
    {%- endfor -%}
  {%- endfor -%}

  {#- The user's relations: columns of identity, of numbers, and others, each with its canonical name. -#}
  {%- set keys = recall_duckdb.renamed(query, q.queries) -%}
  {%- set qrels_keys = recall_duckdb.renamed(qrels_query, q.queries) -%}
  {%- set slices = recall_duckdb.renamed(by, q.slices) -%}
  {%- set judged_by = [{'expression': '1' if relevance is none else relevance, 'column': 'relevance'}] -%}
  {%- set runs = run if recall_duckdb.is_named_runs(run) else {'run': run} -%}
  {%- if model is not none and recall_duckdb.is_named_runs(run) -%}
    {%- do recall_duckdb.refuse('model: give one of: several named runs, a model column') -%}
  {%- endif -%}
  {%- do q.update({'models': model is not none or runs | length > 1}) -%}
  {%- do q.update({'only_model': dbt.string_literal(dbt.escape_single_quotes((runs.keys() | list)[0]))}) -%}
  {%- set selects = [] -%}
  {%- for name in runs -%}
    {%- set of_model = model or dbt.string_literal(dbt.escape_single_quotes(name)) -%}
    {%- set names = ([{'expression': of_model, 'column': 'model'}] if q.models else []) + keys + [{'expression': item, 'column': 'item'}] -%}
    {%- do selects.append({
      'relation': recall_duckdb.filtered(runs[name], filter),
      'names': names + ([] if rank is none else [{'expression': rank, 'column': 'rank'}]),
      'numbers': ([{'expression': score, 'column': 'score'}] if rank is none else []) + (judged_by if qrels is none else []),
      'extras': slices if qrels is none or by_in == 'run' else [],
    }) -%}
  {%- endfor -%}
  {%- do q.sources.update({'labelled' if qrels is none else 'run_source': selects}) -%}
  {%- if qrels is not none -%}
    {%- do q.sources.update({'qrels_source': [{
      'relation': recall_duckdb.filtered(qrels, qrels_filter or filter),
      'names': qrels_keys + [{'expression': qrels_item, 'column': 'item'}], 'numbers': judged_by,
      'extras': slices if by_in == 'qrels' else [],
    }]}) -%}
  {%- endif -%}
  {%- set of_item = [{'expression': item, 'column': 'item'}] -%}
  {%- for name, relation, names, numbers in [
    ['exclude', exclude, keys + of_item, []],
    ['items', items, of_item, []],
    ['weights', weights, keys, ['weight']],
    ['training', training, keys + of_item, []],
    ['catalog', catalog, of_item, []],
    ['features', features, of_item + [{'expression': 'feature', 'column': 'feature'}], ['weight']],
    ['pairs', pairs, of_item + [{'expression': 'other', 'column': 'other'}], ['similarity']],
  ] if relation is not none -%}
    {%- set of_numbers = [] -%}
    {%- for number in numbers -%}
      {%- do of_numbers.append({'expression': number, 'column': number}) -%}
    {%- endfor -%}
    {%- do q.sources.update({name: [{'relation': relation, 'names': names, 'numbers': of_numbers, 'extras': []}]}) -%}
  {%- endfor -%}
  {%- for m in q.metrics -%}
    {%- for name in m.needs if name not in q.sources -%}
      {%- do recall_duckdb.refuse(m.name ~ ' needs ' ~ name ~ '=: pass the relation') -%}
    {%- endfor -%}
  {%- endfor -%}

  {%- set run_shape = 'ranks' if rank is not none else 'scores' -%}
  {%- set places = ties if rank is none else ('item_desc' if q.has_exclude or q.has_items else 'given') -%}
  {%- set qrels_shape = 'best' if duplicates == 'best' else ('shared' if qrels is none and q.models else 'rows') -%}
  {%- do q.update({'variants': {
    'run': 'run_' ~ ('best' if duplicates == 'best' else run_shape),
    'qrels': 'qrels_' ~ qrels_shape,
    'ranked': 'ranked_' ~ places,
    'judged': 'judged_' ~ ('expected' if ties == 'expected' else 'ordered'),
    'slices': 'slices_' ~ (by_in if qrels is not none else 'qrels'),
  }}) -%}
  {{- return(q) -}}
{% endmacro %}


{# Stop with a message that names the argument. #}
{% macro refuse(message) %}
  {%- do exceptions.raise_compiler_error('recall_duckdb: ' ~ message) -%}
{% endmacro %}


{% macro check_adapter() %}
  {%- set known = recall_duckdb.adapters() -%}
  {%- if adapter.type() not in known -%}
    {%- do recall_duckdb.refuse('the adapter ' ~ adapter.type() ~ ' is not one of ' ~ known | join(', ') ~ ', for which the SQL is written and tried') -%}
  {%- endif -%}
{% endmacro %}


{% macro check_choice(argument, value, choices) %}
  {%- if value not in choices -%}
    {%- do recall_duckdb.refuse(argument ~ ': ' ~ value ~ ' is not one of ' ~ choices | join(', ')) -%}
  {%- endif -%}
{% endmacro %}


{% macro check_number(argument, value) %}
  {%- if value is string or value is not number or value is boolean -%}
    {%- do recall_duckdb.refuse(argument ~ ': a number is expected, not ' ~ value) -%}
  {%- endif -%}
{% endmacro %}


{% macro number_or_none(argument, value) %}
  {%- if value is none -%}
    {{- return(none) -}}
  {%- endif -%}
  {%- do recall_duckdb.check_number(argument, value) -%}
  {{- return(value | float) -}}
{% endmacro %}


{# One name or a list of them, as a list. #}
{% macro columns_of(argument, value) %}
  {%- set names = [] if value is none else ([value] if value is string else value | list) -%}
  {%- for name in names -%}
    {%- if name is not string or not name | trim -%}
      {%- do recall_duckdb.refuse(argument ~ ': a column name is expected, not ' ~ name) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- if names | unique | list | length < names | length -%}
    {%- do recall_duckdb.refuse(argument ~ ': ' ~ names ~ ' names a column twice') -%}
  {%- endif -%}
  {{- return(names) -}}
{% endmacro %}


{# A name without its quotes, in small letters, to be compared with. #}
{% macro bare(name) %}
  {{- return(name | replace('"', '') | replace('`', '') | lower) -}}
{% endmacro %}


{# The canonical names of columns, beside the user's: query, or query_1 and query_2. #}
{% macro numbered(canonical, names) %}
  {%- set found = [] -%}
  {%- for name in names -%}
    {%- do found.append({'column': canonical if names | length == 1 else canonical ~ '_' ~ loop.index, 'name': name}) -%}
  {%- endfor -%}
  {{- return(found) -}}
{% endmacro %}


{# What the columns of a relation of the user's are called from here on. #}
{% macro renamed(expressions, columns) %}
  {%- set found = [] -%}
  {%- for expression in expressions -%}
    {%- do found.append({'expression': expression, 'column': columns[loop.index0].column}) -%}
  {%- endfor -%}
  {{- return(found) -}}
{% endmacro %}


{# The rows of a relation that a condition holds for: apart, where no canonical name can be taken for a column. #}
{% macro filtered(relation, condition) %}
  {{- return(relation if condition is none else '(SELECT * FROM ' ~ relation ~ ' WHERE ' ~ condition ~ ') AS filtered') -}}
{% endmacro %}


{# Whether a run is several runs by their names: a relation of dbt's is a mapping too. #}
{% macro is_named_runs(run) %}
  {{- return(run is mapping and run.identifier is not defined) -}}
{% endmacro %}
