{# The arguments of the test `check` that differ from those of a question.

   model (relation): the relation that dbt tests: the run
   metrics (list[string]) = none: metrics with limits, such as err(max_grade=4)@10; none: recall
   no_relevant (string) = 'zero': error: report queries without relevant items; zero or skip
   missing (string) = 'zero': error: report judged queries that are missing from the run; zero or skip
   duplicates (string) = 'error': error: report duplicate judgements; best: accept them
   nulls (string) = 'error': error: report NULL and NaN; last: accept them as scores and relevance; drop
   ranks (string) = 'error': error: report ranks that are not 1, 2, 3 and so on; given or renumber
   empty (string) = 'error': error: report relations without rows, or with nothing in common; allow
   model_column (string) = none: the column of the model, if the run holds several models
   only (list[string]) = none: the checks to run, by name; none: all that apply
   skip (list[string]) = none: the checks to leave out, by name
#}

{# The faults of a run and its qrels, one row for each check that finds any; `asked` are the arguments of the test. #}
{% macro faults(asked, only, skip) %}
  {%- set question = dict(asked) -%}
  {%- set metrics = [] if asked.metrics is none else ([asked.metrics] if asked.metrics is string else asked.metrics | list) -%}
  {%- set alone = {'metrics': []} -%}
  {%- if metrics and asked.qrels is none -%}
    {%- do recall_duckdb.add_metrics(alone, metrics, none, 'k', 'item_desc') -%}
  {%- endif -%}
  {#- Metrics of the run alone need no judgements. -#}
  {%- if not alone.metrics or alone.metrics | selectattr('needs_judgements') | list -%}
    {%- set metrics = metrics + ['recall'] -%}
    {%- do question.update({'metrics': metrics}) -%}
  {%- endif -%}
  {#- A macro cannot raise an error for data, so the statement follows the policy that keeps the rows. -#}
  {%- for name in ['duplicates', 'empty', 'missing', 'no_relevant', 'nulls', 'ranks'] if asked[name] == 'error' -%}
    {%- do question.update({name: recall_duckdb.facts().policies[name][0]}) -%}
  {%- endfor -%}
  {%- if asked.rank is none and asked.ranks == 'error' -%}
    {%- do question.update({'ranks': none}) -%}
  {%- endif -%}
  {%- set q = recall_duckdb.question(question) -%}
  {#- The checks read every list to its end, whatever the cutoffs. -#}
  {%- do q.update({'depth': q.list_depth}) -%}
  {%- set grades = q.metrics | selectattr('max_grade', 'defined') | map(attribute='max_grade') | list -%}
  {%- do q.update({'max_grade': grades | min if grades else none}) -%}
  {%- set parts = [] -%}
  {%- for name in recall_duckdb.checks_of(q, asked, only, skip) -%}
    {%- do parts.append(recall_duckdb.faults_of(q, asked, name) | trim) -%}
  {%- endfor -%}
  {%- set answer -%}
SELECT check_name, faults, example, rule_text, fix
FROM (
  {{ parts | join('\nUNION ALL\n') | indent(2) }}
) AS rd_faults
WHERE faults > 0
  {%- endset -%}
  {{- recall_duckdb.statement(q, answer) -}}
{% endmacro %}


{# The names of the checks that apply to a question. #}
{% macro checks_of(q, asked, only, skip) %}
  {%- set known = recall_duckdb.checks() -%}
  {%- set chosen = {'only': recall_duckdb.columns_of('only', only), 'skip': recall_duckdb.columns_of('skip', skip)} -%}
  {%- for argument, names in chosen.items() -%}
    {%- for name in names if name not in known -%}
      {%- do recall_duckdb.refuse(argument ~ ': there is no check ' ~ name ~ '. Known: ' ~ known.keys() | join(', ')) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- set facts = recall_duckdb.facts_of_checks(q, asked) -%}
  {%- set found = [] -%}
  {%- for name, check in known.items() if name not in chosen.skip and (not chosen.only or name in chosen.only) -%}
    {%- set failed = [] -%}
    {%- for fact, allowed in check.when.items() if facts[fact] not in allowed -%}
      {%- do failed.append(fact) -%}
    {%- endfor -%}
    {%- if facts.qrels == 'none' and 'qrels' in name -%}
      {%- do failed.append('qrels') -%}
    {%- endif -%}
    {%- if not failed -%}
      {%- do found.append(name) -%}
    {%- elif name in chosen.only -%}
      {%- do recall_duckdb.refuse('only: the check ' ~ name ~ ' does not apply: it depends on ' ~ failed | join(', ')) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- if not found -%}
    {%- do recall_duckdb.refuse('only, skip: no check is left') -%}
  {%- endif -%}
  {{- return(found) -}}
{% endmacro %}


{# What decides if a check applies. #}
{% macro facts_of_checks(q, asked) %}
  {%- set is_exponential = q.judgings | selectattr('gain', 'equalto', 'exponential') | list -%}
  {%- set facts = {
    'command': 'check',
    'gain': 'exponential' if is_exponential else 'other',
    'grades': 'none' if q.max_grade is none else 'limited',
    'models': 'column' if q.has_model_column else ('named' if q.models else 'one'),
    'qrels': 'rows' if q.labelled or asked.qrels is not none else 'none',
    'run': q.variants.run[4:] if q.variants.run != 'run_best' else 'scores',
    'slices': q.variants.slices[7:] if q.query_sliced else 'none',
  } -%}
  {%- for name in ['duplicates', 'empty', 'missing', 'no_relevant', 'nulls', 'ranks'] -%}
    {%- do facts.update({name: asked[name]}) -%}
  {%- endfor -%}
  {%- for name in recall_duckdb.facts().optional_inputs -%}
    {%- do facts.update({name: 'given' if asked[name] is not none else 'none'}) -%}
  {%- endfor -%}
  {{- return(facts) -}}
{% endmacro %}


{# The number of rows that a check finds, with one of them and with what to do. #}
{% macro faults_of(q, asked, name) %}
  {%- set check = recall_duckdb.checks()[name] -%}
  {%- set shown = [] -%}
  {%- for column in check.shown if column != 'model' or q.models -%}
    {%- for each in (q.queries | map(attribute='column') if column == 'query' else [column]) -%}
      {%- do shown.append("', '") -%}
      {%- do shown.append('COALESCE(CAST(' ~ each ~ ' AS ' ~ recall_duckdb.type_text() ~ "), 'NULL')") -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- set example = dbt.concat(shown[1:]) if shown[2:] else (shown[1:] + ['CAST(NULL AS ' ~ recall_duckdb.type_text() ~ ')'])[0] %}
SELECT
  '{{ name }}' AS check_name,
  COUNT(*) AS faults,
  MIN({{ example }}) AS example,
  {{ recall_duckdb.told(q, asked, check.rule) }} AS rule_text,
  {{ recall_duckdb.told(q, asked, check.fix) }} AS fix
FROM (
  {{ recall_duckdb.check_rows(q, name) | trim | indent(2) }}
) AS rd_rows
{% endmacro %}


{# A text of a check as a literal, with the names of the user's columns. #}
{% macro told(q, asked, text) %}
  {%- set names = {'max_grade': q.max_grade ~ '', 'relevant_if': 'above 0' if asked.threshold is none else 'at or above the threshold ' ~ asked.threshold} -%}
  {%- for name in ['query', 'item', 'score', 'rank', 'relevance', 'by'] -%}
    {%- do names.update({name: 'column ' ~ recall_duckdb.columns_of(name, asked[name]) | join(', ')}) -%}
  {%- endfor -%}
  {%- for name in ['query', 'item'] -%}
    {%- set of_qrels = recall_duckdb.columns_of(name, asked['qrels_' ~ name]) | join(', ') -%}
    {%- do names.update({'qrels_' ~ name: 'column ' ~ of_qrels if of_qrels else names[name]}) -%}
  {%- endfor -%}
  {%- set filled = [text] -%}
  {%- for name, value in names.items() -%}
    {%- do filled.append(filled[-1] | replace('{' ~ name ~ '}', value)) -%}
  {%- endfor -%}
  {{- return(dbt.string_literal(dbt.escape_single_quotes(filled[-1] | replace('\\', '')))) -}}
{% endmacro %}


{# Say in the log of a model's first run that no test checks what it reads. #}
{% macro tell_unchecked() %}
  {%- if execute and model is defined and model.resource_type == 'model' and load_relation(this) is none -%}
    {%- set tests = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'test' and node.test_metadata -%}
      {%- if node.test_metadata.namespace == 'recall_duckdb' and node.test_metadata.name == 'check' -%}
        {%- for read in node.depends_on.nodes if read in model.depends_on.nodes -%}
          {%- do tests.append(node.name) -%}
        {%- endfor -%}
      {%- endif -%}
    {%- endfor -%}
    {%- if not tests -%}
      {%- do log('recall_duckdb: no test checks what ' ~ model.name ~ ' reads: duplicates, NULL ids and other faults would change its values. Add the data test recall_duckdb.check to the run', info=true) -%}
    {%- endif -%}
  {%- endif -%}
{% endmacro %}
