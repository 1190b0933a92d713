{# The arguments of a question; `python -m recall_duckdb.dbt` writes them into the signatures and the documentation of macros.
   The optional relations, such as exclude, are those of Python.

   run (relation): the lists to evaluate: a relation, or a mapping from model names to relations
   qrels (relation) = none: the relevance judgements; leave them out if the run holds the labels
   k (list[integer]) = 10: the cutoff, or a list of them; none for the whole list
   query (list[string]) = 'query': the column of the query (user, case), or a list of columns
   item (string) = 'item': the column of the item
   score (string) = 'score': the column that orders the items of a query, highest first
   rank (string) = none: a column of ranks, 1 for the first, instead of a score
   relevance (string) = 'relevance': the column of relevance; none (null in YAML) if every row of qrels is relevant
   model (string) = none: the column of the model, if the run holds several models
   by (list[string]) = none: the columns to average within, in addition to the means over all queries; several are crossed
   by_in (string) = 'qrels': the relation that has the columns of by: qrels or run
   item_by (list[string]) = none: columns of item_slices to slice the relevant items by, for recall and metrics like it
   qrels_query (list[string]) = none: the query column of qrels, if it has another name there
   qrels_item (string) = none: the item column of qrels, if it has another name there
   filter (string) = none: a condition on the rows of run and qrels
   qrels_filter (string) = none: the condition on the rows of qrels, if it differs; '' for none
   per_query (bool) = false: select a row for each judged query instead of means
   no_relevant (string) = 'zero': a query without relevant items: zero or skip
   missing (string) = 'zero': a judged query for which the run retrieves nothing: zero or skip
   ties (string) = 'item_desc': equal scores: item_desc, item, optimistic, pessimistic or expected
   duplicates (string) = none: duplicate items in a list all count (none: test for them), or only the best (best)
   nulls (string) = 'last': NULL scores rank last and NULL relevance is not judged (last), or drop the row
   precision (string) = 'k': precision divides by k, or by the number retrieved if that is smaller (retrieved)
   unjudged (string) = 'keep': unjudged items keep their ranks (keep), or are removed before ranking (drop)
   ranks (string) = none: ranks are 1, 2, 3 and so on (none: test for it), used as they are (given), or only give the
     order (renumber)
   empty (string) = none: a run without rows has no means (none), or is evaluated as the other policies say (allow)
   ids (string) = 'typed': ids of run and qrels compare as they are (typed), or cast to text (text)
   order (string) = none: high scores come first (descending) or low ones (ascending); none: descending, and a column
     called distance, dist_cos or l2 needs one of the two
   semantics (string) = 'trec_eval_10': scores compare as 64-bit (trec_eval_10) or 32-bit floats (trec_eval_9)
   depth (integer) = none: only the first candidates of each list count, at most this many; none: all
   threshold (float) = none: the lowest relevance that counts as relevant; none: anything above 0
   min_score (float) = none: the lowest score that is recommended; none: all scores
#}

{# Return the question that the arguments of `evaluate` ask: metrics, judgings, policies, and the relations to read. #}
{% macro question(asked) %}
  {%- set facts = recall_duckdb.facts() -%}
  {%- set qrels = asked.qrels -%}
  {%- set item = asked.item -%}
  {%- set rank = asked.rank -%}
  {%- set relevance = asked.relevance -%}
  {%- do recall_duckdb.check_adapter() -%}
  {%- if relevance is string and relevance | lower == 'none' -%}
    {%- do recall_duckdb.refuse('relevance: ' ~ relevance ~ ' in quotes is a column name: write none, or null in YAML') -%}
  {%- endif -%}
  {%- for name, choices in facts.policies.items() -%}
    {%- do recall_duckdb.check_choice(name, asked[name], choices) -%}
  {%- endfor -%}
  {%- do recall_duckdb.check_choice('by_in', asked.by_in, ['qrels', 'run']) -%}
  {%- set threshold = recall_duckdb.number_or_none('threshold', asked.threshold) -%}
  {%- set min_score = recall_duckdb.number_or_none('min_score', asked.min_score) -%}
  {%- if threshold is not none and threshold <= 0 -%}
    {%- do recall_duckdb.refuse_as('threshold', {'threshold': threshold}) -%}
  {%- endif -%}
  {%- if rank is none and asked.ranks is not none -%}
    {%- do recall_duckdb.refuse('ranks: ' ~ asked.ranks ~ ' needs a rank column: pass rank=, or leave it out') -%}
  {%- endif -%}
  {%- set renumbered = asked.ranks == 'renumber' -%}
  {%- if rank is not none and ((asked.ties != 'item_desc' and not renumbered) or min_score is not none) -%}
    {%- do recall_duckdb.refuse('ties, min_score: they need a score, but the run has a rank column: leave them out') -%}
  {%- endif -%}
  {%- if rank is not none and asked.score != 'score' -%}
    {%- do recall_duckdb.refuse('score: ' ~ rank ~ ' (rank=) already ranks the items: pass only one of the two') -%}
  {%- endif -%}
  {%- if rank is not none and asked.order is not none -%}
    {%- do recall_duckdb.refuse('order: ' ~ asked.order ~ ' needs a score, but the run has a rank column: leave it out') -%}
  {%- endif -%}
  {%- if min_score is not none and asked.order == 'ascending' -%}
    {%- do recall_duckdb.refuse_as('no_min_score', {}) -%}
  {%- endif -%}
  {%- if min_score is not none and asked.semantics == 'trec_eval_9' -%}
    {%- do recall_duckdb.refuse('min_score: semantics=trec_eval_9 rounds scores to 32 bits but not min_score: compare the scores in filter= instead') -%}
  {%- endif -%}

  {%- set query = recall_duckdb.columns_of('query', asked.query) -%}
  {%- set by = recall_duckdb.columns_of('by', asked.by) -%}
  {%- set item_by = recall_duckdb.columns_of('item_by', asked.item_by) -%}
  {%- if (item_by | length > 0) != (asked.item_slices is not none) -%}
    {%- do recall_duckdb.refuse('item_by, item_slices: pass both, the columns of slices and the relation of items, or leave them out') -%}
  {%- endif -%}
  {%- if by and item_by -%}
    {%- do recall_duckdb.refuse('item_by: slices of items do not combine with slices of queries (by=): evaluate once with each') -%}
  {%- endif -%}
  {%- if asked.query_slices is not none and not by -%}
    {%- do recall_duckdb.refuse('query_slices: pass by= too, which names the column of it that holds the slices') -%}
  {%- endif -%}
  {%- set qrels_query = recall_duckdb.columns_of('qrels_query', asked.qrels_query) or query -%}
  {%- if not query -%}
    {%- do recall_duckdb.refuse_as('no_query', {}) -%}
  {%- endif -%}
  {%- if qrels_query | length != query | length -%}
    {%- do recall_duckdb.refuse_as('qrels_query', {'qrels_query': qrels_query, 'query': query}) -%}
  {%- endif -%}
  {%- for argument in ['item', 'score', 'rank', 'relevance', 'model', 'qrels_item'] if asked[argument] is not none -%}
    {%- if asked[argument] is not string or not asked[argument] | trim -%}
      {%- do recall_duckdb.refuse(argument ~ ': one column is expected, not ' ~ asked[argument]) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- if rank is none and asked.order is none and modules.re.search(facts.distance, recall_duckdb.bare(asked.score)) -%}
    {%- do recall_duckdb.refuse_as('distance', {'name': asked.score}) -%}
  {%- endif -%}
  {%- if rank is none and asked.order is none and recall_duckdb.bare(asked.score) | replace('_', '') in facts.ranks -%}
    {%- do recall_duckdb.refuse_as('rank', {'name': asked.score, 'rank': 'rank=' ~ asked.score}) -%}
  {%- endif -%}
  {%- do recall_duckdb.check_roles({
    'query': query, 'item': [item], 'score': [asked.score] if rank is none else [], 'rank': [rank], 'model': [asked.model],
    'relevance': [relevance] if qrels is none else [],
  }) -%}
  {%- do recall_duckdb.check_roles({
    'qrels_query': qrels_query, 'qrels_item': [asked.qrels_item or item], 'relevance': [relevance],
  }) -%}
  {%- do recall_duckdb.check_names('by, item_by', by + item_by, facts.result_columns + ['metric_no']) -%}
  {%- for name in query if recall_duckdb.bare(name) == 'model' -%}
    {%- do recall_duckdb.refuse_as('result_column', {'argument': 'query', 'name': name}) -%}
  {%- endfor -%}
  {%- if qrels is none and (qrels_query != query or asked.qrels_item is not none or asked.qrels_filter is not none) -%}
    {%- do recall_duckdb.refuse('qrels_query, qrels_item, qrels_filter: no qrels= was given: pass it, or leave them out') -%}
  {%- endif -%}

  {%- set q = {
    'queries': recall_duckdb.numbered('query', query), 'slices': recall_duckdb.numbered('slice', by + item_by),
    'query_sliced': by | length > 0, 'item_sliced': item_by | length > 0,
    'no_relevant': asked.no_relevant, 'missing': asked.missing, 'nulls': asked.nulls, 'semantics': asked.semantics,
    'precision': asked.precision, 'min_score': min_score, 'has_exclude': asked.exclude is not none,
    'has_items': asked['items'] is not none, 'has_weights': asked.weights is not none,
    'judged_only': asked.unjudged == 'drop', 'ids_as_text': asked.ids == 'text', 'item': item, 'sources': {}, 'reads': [],
  } -%}
  {%- do recall_duckdb.add_metrics(q, asked.metrics, threshold, asked.precision, asked.ties) -%}
  {%- do q.update({'list_depth': none}) -%}
  {%- if asked.depth is not none -%}
    {%- set k = recall_duckdb.cutoff(asked.depth ~ '', {'takes_k': true}, 'depth') -%}
    {%- for m in q.metrics if m.reads_candidates -%}
      {%- do recall_duckdb.refuse_as('no_depth', {'what': m.name}) -%}
    {%- endfor -%}
    {%- if asked.ties == 'expected' -%}
      {%- do recall_duckdb.refuse_as('no_depth', {'what': "ties='expected'"}) -%}
    {%- endif -%}
    {%- do q.update({'list_depth': k, 'depth': k if q.depth is none else [k, q.depth] | min}) -%}
  {%- endif -%}
  {%- set labelled = qrels is none and q.metrics | selectattr('needs_judgements') | list | length > 0 and not asked.get('pool', false) -%}
  {%- set by_in = 'qrels' if labelled else ('run' if qrels is none else asked.by_in) -%}
  {%- set by_in = by_in if asked.query_slices is none else 'query_slices' -%}
  {%- set in_run = by_in == 'run' or (labelled and by_in == 'qrels') -%}
  {%- do q.update({'labelled': labelled, 'slices_in_run': in_run, 'renumbered': renumbered}) -%}
  {%- do q.update({'qrels_slices': q.slices if by_in == 'qrels' and by else []}) -%}
  {%- if labelled and relevance is none -%}
    {%- do recall_duckdb.refuse('relevance: without qrels=, name the column of run that says how relevant an item is') -%}
  {%- endif -%}
  {%- if qrels is none and not labelled and (asked.no_relevant != 'zero' or q.judged_only) -%}
    {%- do recall_duckdb.refuse('no_relevant, unjudged: they need judgements: pass qrels=, or leave them out') -%}
  {%- endif -%}
  {%- for name in query + by + item_by -%}
    {%- for m in q.metrics if recall_duckdb.bare(name) == m.column -%}
      {%- do recall_duckdb.refuse_as('metric_column', {'argument': 'query, by, item_by', 'name': name}) -%}
    {%- endfor -%}
  {%- endfor -%}

  {%- do recall_duckdb.add_runs(q, asked, query, by) -%}
  {#- A column of the query may have another name in the qrels. -#}
  {%- set of_qrels = {} -%}
  {%- for name in query -%}
    {%- do of_qrels.update({name | lower: qrels_query[loop.index0]}) -%}
  {%- endfor -%}
  {%- set qrels_by = [] -%}
  {%- for name in by -%}
    {%- do qrels_by.append(of_qrels.get(name | lower, name)) -%}
  {%- endfor -%}
  {%- if qrels is not none -%}
    {%- do recall_duckdb.add_source(
      q, 'qrels_source', qrels, asked.filter if asked.qrels_filter is none else asked.qrels_filter,
      recall_duckdb.renamed(qrels_query, q.queries) + [[asked.qrels_item or item, 'item']], [['1' if relevance is none else relevance, 'relevance']],
      recall_duckdb.renamed(qrels_by, q.qrels_slices) if q.qrels_slices else []
    ) -%}
  {%- endif -%}
  {%- set canonical = {'query': recall_duckdb.renamed(query, q.queries), 'item': [[item, 'item']]} -%}
  {%- for name, columns in facts.optional_inputs.items() if asked[name] is not none -%}
    {%- set names = [] -%}
    {%- for key in columns.names -%}
      {%- for pair in canonical.get(key, [[key, key]]) -%}
        {%- do names.append(pair) -%}
      {%- endfor -%}
    {%- endfor -%}
    {%- set numbers = [] -%}
    {%- for number in columns.numbers -%}
      {%- do numbers.append([number, number]) -%}
    {%- endfor -%}
    {%- set slices_of = {'item_slices': item_by, 'query_slices': by} -%}
    {%- set slices = recall_duckdb.renamed(slices_of[name], q.slices) if name in slices_of else [] -%}
    {%- do recall_duckdb.add_source(q, name, asked[name], none, names + slices, numbers, []) -%}
  {%- endfor -%}
  {%- set needed = ['exclude', 'items', 'weights', 'item_slices', 'query_slices', 'labelled', 'run_source', 'qrels_source'] -%}
  {%- for m in q.metrics -%}
    {%- for name in m.needs -%}
      {%- if name not in q.sources -%}
        {%- do recall_duckdb.refuse(m.name ~ ' needs ' ~ name ~ '=: pass the relation') -%}
      {%- endif -%}
      {%- do needed.append(name) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- for name in q.sources if name not in needed -%}
    {%- do recall_duckdb.refuse_as('unread', {'name': name}) -%}
  {%- endfor -%}

  {%- set run_shape = 'ranks' if rank is not none and not renumbered else 'scores' -%}
  {%- set strict = 'item_desc' if q.has_exclude or q.has_items or q.judged_only else 'strict' -%}
  {%- set ranks = 'given' if asked.ranks == 'given' else strict -%}
  {%- set places = asked.ties if run_shape == 'scores' else ranks -%}
  {%- set qrels_shape = 'best' if asked.duplicates == 'best' else ('shared' if labelled and q.models else 'rows') -%}
  {%- do q.update({'may_be_empty': asked.empty == 'allow', 'variants': {
    'run': 'run_' ~ ('best' if asked.duplicates == 'best' and run_shape == 'scores' else run_shape),
    'qrels': 'qrels_' ~ (qrels_shape if labelled or qrels is not none else 'none'),
    'models': 'models_' ~ ('named' if asked.empty == 'allow' and q.models else 'retrieved'),
    'ranked': 'ranked_' ~ places,
    'judged': 'judged_' ~ ('expected' if asked.ties == 'expected' else 'ordered'),
    'slices': 'slices_' ~ by_in,
  }}) -%}
  {{- return(q) -}}
{% endmacro %}


{# The run, or the runs by model name; with labels if there are no qrels. #}
{% macro add_runs(q, asked, query, by) %}
  {%- set run = asked.run -%}
  {%- set model = asked.model -%}
  {%- set rank = asked.rank -%}
  {%- set named = recall_duckdb.is_named_runs(run) -%}
  {%- if run is none or (named and not run) or (run is not string and run is not mapping) -%}
    {%- do recall_duckdb.refuse('run: a relation is expected, or a mapping of model names to relations, not ' ~ run) -%}
  {%- endif -%}
  {%- if named and model is not none -%}
    {%- do recall_duckdb.refuse('model: pass only one of these: several named runs, a model column') -%}
  {%- endif -%}
  {%- set runs = run if named else {'run': run} -%}
  {%- set names = [] -%}
  {%- for name in runs -%}
    {%- do names.append(recall_duckdb.text_literal('run', name)) -%}
  {%- endfor -%}
  {%- do q.update({
    'models': model is not none or runs | length > 1,
    'named_models': names,
    'has_model_column': model is not none,
    'only_model': names[0],
  }) -%}
  {%- set ordered = [[rank, 'score']] if q.renumbered else ([[asked.score, 'score']] if rank is none else []) -%}
  {%- set to = 'labelled' if q.labelled else 'run_source' -%}
  {%- for name in runs -%}
    {%- set of_model = [[model or names[loop.index0], 'model']] if q.models else [] -%}
    {%- set keys = recall_duckdb.renamed(query, q.queries) + [[asked.item, 'item']] -%}
    {%- do recall_duckdb.add_source(
      q, to, runs[name], asked.filter,
      of_model + keys + ([] if rank is none or q.renumbered else [[rank, 'rank']]),
      ordered + ([[asked.relevance, 'relevance']] if q.labelled else []),
      recall_duckdb.renamed(by, q.slices) if q.slices_in_run else []
    ) -%}
    {%- for score in q.sources[to][-1].numbers[:1] if q.renumbered or asked.order == 'ascending' -%}
      {%- do score.update({'expression': '0 - CAST(' ~ score.expression ~ ' AS ' ~ recall_duckdb.type_double() ~ ')'}) -%}
    {%- endfor -%}
  {%- endfor -%}
{% endmacro %}


{# Add a relation of the user: pairs of an expression and its canonical name, for ids, for numbers and for others.

   A subquery reads the expressions under names that no user has. In a single SELECT, `query` could mean the canonical
   column instead of the user's (ClickHouse), or be found though the user has no such column (DuckDB). #}
{% macro add_source(q, name, relation, condition, names, numbers, extras) %}
  {%- set read = [] -%}
  {%- set source = {} -%}
  {%- for kind, pairs in [['names', names], ['numbers', numbers], ['extras', extras]] -%}
    {%- set columns = [] -%}
    {%- for expression, column in pairs -%}
      {%- set place = 'rd_' ~ (read | length + 1) -%}
      {%- do read.append(expression ~ ' AS ' ~ place) -%}
      {%- set as_text = q.ids_as_text and kind == 'names' and column not in ['model', 'rank', 'feature'] -%}
      {%- set id = 'CAST(' ~ place ~ ' AS ' ~ recall_duckdb.type_text() ~ ')' if as_text else place -%}
      {%- do columns.append({'expression': id, 'column': column}) -%}
    {%- endfor -%}
    {%- do source.update({kind: columns}) -%}
  {%- endfor -%}
  {%- set rows = 'SELECT ' ~ read | join(', ') ~ ' FROM ' ~ relation ~ (' WHERE ' ~ condition ~ '\n' if condition else '') -%}
  {%- do source.update({'relation': '(' ~ rows ~ ') AS rd_given'}) -%}
  {%- do q.sources.update({name: q.sources.get(name, []) + [source]}) -%}
{% endmacro %}


{# Stop with a message that names the argument. #}
{% macro refuse(message) %}
  {%- do exceptions.raise_compiler_error('recall_duckdb: ' ~ message) -%}
{% endmacro %}


{# Stop with a message that Python shares, and the values of its placeholders. #}
{% macro refuse_as(name, values) %}
  {%- set filled = [recall_duckdb.messages()[name]] -%}
  {%- for placeholder, value in values.items() -%}
    {%- do filled.append(filled[-1] | replace('{' ~ placeholder ~ '}', value)) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse(filled[-1]) -%}
{% endmacro %}


{# Refuse arguments that a macro does not have, or that are given by position and by name. #}
{% macro check_arguments(macro, given, known) %}
  {%- for name in given -%}
    {%- do recall_duckdb.refuse(macro ~ (' is given ' if name in known else ' has no argument ') ~ name ~ (' twice' if name in known) ~ '. Its arguments: ' ~ known | join(', ')) -%}
  {%- endfor -%}
{% endmacro %}


{# Refuse the `where` of a data test, with which dbt filters the tested relation, if the test reads another one too. #}
{% macro check_where(argument, other) %}
  {%- if other is not none and config.get('where') -%}
    {%- do recall_duckdb.refuse('where: dbt filters the tested relation with it, but not ' ~ argument ~ ': pass the condition as the argument filter, which filters both') -%}
  {%- endif -%}
{% endmacro %}


{% macro check_adapter() %}
  {%- set known = recall_duckdb.facts().adapters -%}
  {%- if adapter.type() not in known -%}
    {%- do recall_duckdb.refuse('the adapter ' ~ adapter.type() ~ ' is not one of ' ~ known | join(', ') ~ ', the supported adapters') -%}
  {%- endif -%}
{% endmacro %}


{% macro check_choice(argument, value, choices) %}
  {%- if value == 'error' -%}
    {%- do recall_duckdb.refuse(argument ~ ': a macro cannot raise an error for data: use a data test, and leave this out') -%}
  {%- endif -%}
  {%- if value not in choices -%}
    {%- do recall_duckdb.refuse_as('choice', {'argument': argument, 'value': value, 'choices': choices | join(', ')}) -%}
  {%- endif -%}
{% endmacro %}


{% macro check_number(argument, value) %}
  {%- if value is string -%}
    {%- do recall_duckdb.refuse(argument ~ ": a number is expected, not the text '" ~ value ~ "': write it without quotes and exponent, as in 0.25, or filter a var with | as_number") -%}
  {%- endif -%}
  {%- if value is not number or value is boolean or value != value or value > 1e308 or value < -1e308 -%}
    {%- do recall_duckdb.refuse(argument ~ ': a number is expected, not ' ~ (value if value is defined and value is not none else 'nothing')) -%}
  {%- endif -%}
{% endmacro %}


{# Refuse one column of a relation for two arguments; none is an argument that was not given. #}
{% macro check_roles(roles) %}
  {%- set first = {} -%}
  {%- for argument, names in roles.items() -%}
    {%- for name in names if name is not none -%}
      {%- if first.setdefault(recall_duckdb.bare(name), argument) != argument -%}
        {%- do recall_duckdb.refuse_as('two_roles', {'first': first[recall_duckdb.bare(name)], 'second': argument, 'name': name}) -%}
      {%- endif -%}
    {%- endfor -%}
  {%- endfor -%}
{% endmacro %}


{# Names of columns of the result; an expression has no name. #}
{% macro check_names(argument, names, taken) %}
  {%- for name in names -%}
    {%- if recall_duckdb.bare(name) in taken -%}
      {%- do recall_duckdb.refuse_as('result_column', {'argument': argument, 'name': name}) -%}
    {%- endif -%}
    {%- if name[0] not in ['"', '`'] and ('(' in name or ' ' in name or "'" in name) -%}
      {%- do recall_duckdb.refuse(argument ~ ': ' ~ name ~ ' is not a column name, which the result needs: compute it in a model, or quote it with adapter.quote') -%}
    {%- endif -%}
  {%- endfor -%}
{% endmacro %}


{% macro number_or_none(argument, value) %}
  {%- if value is none -%}
    {{- return(none) -}}
  {%- endif -%}
  {%- do recall_duckdb.check_number(argument, value) -%}
  {{- return(value | float) -}}
{% endmacro %}


{# A text of the user as a literal. #}
{% macro text_literal(argument, value) %}
  {{- return(dbt.string_literal(recall_duckdb.escaped(argument, value))) -}}
{% endmacro %}


{# A text of the user as it is written between quotes. #}
{% macro escaped(argument, value) %}
  {%- if value is not string -%}
    {%- do recall_duckdb.refuse(argument ~ ': a text is expected, not ' ~ value ~ ". Write it in quotes, as in 'popular'") -%}
  {%- elif '\\' in value or '${' in value -%}
    {%- do recall_duckdb.refuse(argument ~ ': ' ~ value ~ ' cannot be a name: engines differ in how they read \\ and ${ in text. Rename it') -%}
  {%- endif -%}
  {{- return(dbt.escape_single_quotes(value)) -}}
{% endmacro %}


{# One name or a list of them, as a list. #}
{% macro columns_of(argument, value) %}
  {%- set names = [] if value is none else ([value] if value is string else value | list) -%}
  {%- for name in names -%}
    {%- if name is not string or not name | trim -%}
      {%- do recall_duckdb.refuse_as('column_name', {'argument': argument, 'value': name}) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- if names | unique | list | length < names | length -%}
    {%- do recall_duckdb.refuse_as('named_twice', {'argument': argument, 'names': names}) -%}
  {%- endif -%}
  {{- return(names) -}}
{% endmacro %}


{# A name without its quotes, in lower case, for comparison. #}
{% macro bare(name) %}
  {{- return(name | replace('"', '') | replace('`', '') | lower) -}}
{% endmacro %}


{# The canonical names of columns: query, or query_1 and query_2. #}
{% macro numbered(canonical, names) %}
  {%- set found = [] -%}
  {%- for name in names -%}
    {%- do found.append({'column': canonical if names | length == 1 else canonical ~ '_' ~ loop.index, 'name': name}) -%}
  {%- endfor -%}
  {{- return(found) -}}
{% endmacro %}


{# Expressions, each with the canonical name of its column. #}
{% macro renamed(expressions, columns) %}
  {%- set found = [] -%}
  {%- for expression in expressions -%}
    {%- do found.append([expression, columns[loop.index0].column]) -%}
  {%- endfor -%}
  {{- return(found) -}}
{% endmacro %}


{# True if a run is several named runs; a relation of dbt is a mapping too. #}
{% macro is_named_runs(run) %}
  {{- return(run is mapping and not (run.identifier is defined and run.schema is defined and run.type is defined)) -}}
{% endmacro %}
