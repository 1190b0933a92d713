{# Fails for each kind of fault in the data that evaluate of Python would raise as an error. Put it on the run. It takes the
   arguments of `evaluate`, model_column instead of model, and error for missing and no_relevant, which reports such queries. #}
{% test check(model, qrels=none, metrics=none, only=none, skip=none) %}
  {%- do recall_duckdb.check_where('qrels', qrels) -%}
  {%- set given, errors = {}, [] -%}
  {%- for name, value in kwargs.items() -%}
    {%- if name in ['missing', 'no_relevant'] and value == 'error' -%}{%- do errors.append(name) -%}
    {%- else -%}{%- do given.update({'model' if name == 'model_column' else name: value}) -%}{%- endif -%}
  {%- endfor -%}
  {#- Metrics of the run alone need no judgements. -#}
  {%- set asked, alone = recall_duckdb.columns_of('metrics', metrics), {} -%}
  {%- if asked and qrels is none -%}{%- do recall_duckdb.add_metrics(alone, asked, none) -%}{%- endif -%}
  {%- set judged = not alone or alone.metrics | selectattr('needs_judgements') | list | length > 0 -%}
  {%- set q = recall_duckdb.question('check', asked + (['recall'] if judged else []), model, qrels, given, ['only', 'skip', 'model_column']) -%}
  {%- set grades = q.metrics | selectattr('max_grade', 'defined') | map(attribute='max_grade') | list -%}
  {%- do q.update({'max_grade': grades | min if grades else none}) -%}
  {%- set names = recall_duckdb.checks_of(q, errors, only, skip) -%}
  {#- The checks read every list to its end, and no values of metrics. -#}
  {%- do q.update({'metrics': [], 'depth': none, 'judgings': q.judgings[:1]}) -%}
  {{- recall_duckdb.with_relations(q, for_check=true) -}}
  {%- if 'empty_models' in names -%}
, rd_named_models AS (
  {%- for name in q.models %}
  SELECT {{ name }} AS rd_model{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
)
  {%- endif -%}
  {%- for name in names %}
{{ recall_duckdb.faults_of(q, name) }}{{ '\nUNION ALL' if not loop.last }}
  {%- endfor -%}
{% endtest %}

{# The names of the checks that apply to a question. #}
{% macro checks_of(q, errors, only, skip) %}
  {%- set known = recall_duckdb.checks() -%}
  {%- set chosen = {'only': recall_duckdb.columns_of('only', only), 'skip': recall_duckdb.columns_of('skip', skip)} -%}
  {%- for argument, names in chosen.items() -%}{%- for name in names -%}
    {%- do recall_duckdb.refuse_if(name not in known, argument ~ ': there is no check ' ~ name ~ '. Known: ' ~ known | join(', ')) -%}
  {%- endfor -%}{%- endfor -%}
  {%- set facts = {
    'command': 'check', 'duplicates': 'error', 'empty': 'error', 'nulls': 'error', 'ranks': 'error', 'slices': q.by_in,
    'gain': 'exponential' if q.judgings | selectattr('gain', 'equalto', 'exponential') | list else 'other',
    'grades': 'none' if q.max_grade is none else 'limited', 'run': 'scores' if q.asked.rank is none else 'ranks',
    'models': 'column' if q.asked.model is not none else ('named' if q.several else 'one'),
    'qrels': 'rows' if q.labelled or q.has_qrels else 'none',
    'missing': 'error' if 'missing' in errors else q.missing,
    'no_relevant': 'error' if 'no_relevant' in errors else q.asked.no_relevant,
  } -%}
  {%- for name in recall_duckdb.facts().optional_inputs -%}{%- do facts.update({name: 'given' if q.asked[name] is not none else 'none'}) -%}{%- endfor -%}
  {%- set found = [] -%}
  {%- for name, check in known.items() if name not in chosen.skip and (not chosen.only or name in chosen.only) -%}
    {%- set failed = ['qrels'] if facts.qrels == 'none' and 'qrels' in name else [] -%}
    {%- for fact, allowed in check.when.items() if facts[fact] not in allowed -%}{%- do failed.append(fact) -%}{%- endfor -%}
    {%- do recall_duckdb.refuse_if(failed and name in chosen.only, 'only: the check ' ~ name ~ ' does not apply: it depends on ' ~ failed | join(', ')) -%}
    {%- if not failed -%}{%- do found.append(name) -%}{%- endif -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(not found, 'only, skip: no check is left') -%}
  {{- return(found) -}}
{% endmacro %}

{# The number of rows that a check finds, if there are any, with one of them and with what to do. #}
{% macro faults_of(q, name) %}
  {%- set check, shown = recall_duckdb.checks()[name], [] -%}
  {%- for column in check.shown if column != 'model' or q.several -%}
    {%- for each in (q.queries if column == 'query' else ['rd_' ~ column]) -%}
      {%- do shown.append("', '") -%}
      {%- do shown.append('COALESCE(CAST(' ~ each ~ ' AS ' ~ recall_duckdb.type_text() ~ "), 'NULL')") -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- set example = dbt.concat(shown[1:]) if shown[2:] else (shown[1:] + ['CAST(NULL AS ' ~ recall_duckdb.type_text() ~ ')'])[0] -%}
SELECT '{{ name }}' AS check_name, COUNT(*) AS faults, MIN({{ example }}) AS example,
  {{ recall_duckdb.told(q, check.rule) }} AS rule_text,
  {{ recall_duckdb.told(q, check.fix) }} AS fix
FROM ({{ recall_duckdb.check_rows(q, name) | trim }}) AS rd_rows HAVING COUNT(*) > 0
{%- endmacro %}

{# A text of a check as a literal, with the names of the user's columns. #}
{% macro told(q, text) %}
  {%- set names = {'max_grade': q.max_grade ~ '', 'relevant_if': 'above 0' if q.asked.threshold is none else 'at or above the threshold ' ~ q.asked.threshold} -%}
  {%- for name in ['query', 'item', 'score', 'rank', 'relevance', 'by'] -%}
    {%- do names.update({name: 'column ' ~ recall_duckdb.columns_of(name, q.asked[name]) | join(', ')}) -%}
  {%- endfor -%}
  {%- for name in ['query', 'item'] -%}
    {%- set of_qrels = recall_duckdb.columns_of(name, q.asked['qrels_' ~ name]) | join(', ') -%}
    {%- do names.update({'qrels_' ~ name: 'column ' ~ of_qrels if of_qrels else names[name]}) -%}
  {%- endfor -%}
  {%- set filled = [text] -%}
  {%- for name, value in names.items() -%}{%- do filled.append(filled[-1] | replace('{' ~ name ~ '}', value)) -%}{%- endfor -%}
  {{- return(dbt.string_literal(dbt.escape_single_quotes(filled[-1] | replace('\\', '')))) -}}
{% endmacro %}
