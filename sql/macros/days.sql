{# The configuration of an incremental model that replaces the days that it selects, so that a day can run twice.

   Adapters replace rows by a key or by a partition; insert_overwrite of dbt-databricks can replace the whole table. With full_refresh: false, no command drops the other days. #}
{% macro replace_days(column='day') %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- set of_adapters = {
    'spark': {'incremental_strategy': 'insert_overwrite', 'partition_by': column},
    'bigquery': {'incremental_strategy': 'insert_overwrite', 'partition_by': {'field': column, 'data_type': 'date'}},
    'athena': {'incremental_strategy': 'insert_overwrite', 'partitioned_by': [column]},
  } -%}
  {%- set found = {'materialized': 'incremental', 'full_refresh': false} -%}
  {%- do found.update(of_adapters.get(adapter.type(), {'incremental_strategy': 'delete+insert', 'unique_key': column})) -%}
  {{- return(found) -}}
{% endmacro %}

{# The means of each day, and of the windows that end on it, for an incremental model with the configuration of replace_days.

   Each window is a question of its own, whose conditions are literals: engines then read only the days of the window.
   Athena needs the day as the last column. Without days, the environment variable RECALL_DUCKDB_DAY names the day: it is
   read only when dbt runs the model, so that another day parses nothing again. #}
{% macro means_by_day(metrics, run, qrels=none, days=none, day_column='day', qrels_day_column=none, windows=1) %}
  {%- do recall_duckdb.tell_unchecked() -%}
  {%- set own = ['days', 'day_column', 'qrels_day_column', 'windows'] -%}
  {%- do recall_duckdb.refuse_if(recall_duckdb.arguments('means_by_day', kwargs, own).per_query, 'means_by_day has no argument per_query: it selects means') -%}
  {%- set in_qrels = day_column if qrels_day_column is none else (qrels_day_column or none) -%}
  {%- for argument, column in [['day_column', day_column], ['qrels_day_column', in_qrels]] if column is not none -%}
    {%- do recall_duckdb.refuse_if(column is not string or not column | trim, argument ~ ': one column is expected, not ' ~ (column or 'nothing')) -%}
  {%- endfor -%}
  {%- set windows = recall_duckdb.windows_of(windows, day_column is not none and (qrels is none or in_qrels is not none)) -%}
  {%- set dates = recall_duckdb.dates_of(env_var('RECALL_DUCKDB_DAY', '') if days is none and execute else days) -%}
  {%- do recall_duckdb.refuse_if(day_column is none and (dates | length > 1 or qrels_day_column is not none), 'day_column: without it, the run holds a single day: pass one day in days, and leave out qrels_day_column') -%}
  {%- do recall_duckdb.check_names('by', recall_duckdb.columns_of('by', kwargs.get('by')), ['day', 'window_days', 'policies', 'version']) -%}
  {%- for date in dates -%}
    {%- set of_date = loop -%}
    {%- for length in windows -%}
      {%- set asked = recall_duckdb.window(kwargs, qrels, date, length, day_column, in_qrels) -%}
      {%- set q = recall_duckdb.question('means_by_day', metrics, run, qrels, asked, own) -%}
      {%- set also = ",\n  " ~ recall_duckdb.policies_text(q.asked) ~ " AS policies, '" ~ recall_duckdb.facts().version ~ "' AS version, " ~ length ~ " AS window_days, CAST('" ~ date ~ "' AS DATE) AS day" %}
SELECT * FROM (
  {{ recall_duckdb.statement(q, also) | trim | indent(2) }}
) AS rd_means
{{- '\nUNION ALL' if not (loop.last and of_date.last) }}
    {%- endfor -%}
  {%- endfor -%}
{% endmacro %}

{# The arguments for the days of a window. In several days, the list of a query on one day is a list of its own.

   The columns of the day may be times, which differ in run and qrels. #}
{% macro window(given, qrels, date, length, day_column, in_qrels) %}
  {%- set asked, day = dict(given), modules.datetime.timedelta(1) -%}
  {%- set bounds = ["CAST('" ~ (date - day * (length - 1)) ~ "' AS DATE)", "CAST('" ~ (date + day) ~ "' AS DATE)"] -%}
  {%- set qrels_filter = asked.get('filter') if asked.get('qrels_filter') is none else asked.qrels_filter -%}
  {%- for argument, column, condition in [['filter', day_column, asked.get('filter')], ['qrels_filter', in_qrels, qrels_filter]] if argument == 'filter' or qrels is not none -%}
    {%- set conditions = (['(' ~ condition ~ '\n)'] if condition else []) + ([column ~ ' >= ' ~ bounds[0], column ~ ' < ' ~ bounds[1]] if column is not none else []) -%}
    {%- do asked.update({argument: conditions | join(' AND ')}) -%}
  {%- endfor -%}
  {%- set query, names = recall_duckdb.columns_of('query', asked.get('query', 'query')), [] -%}
  {%- for name in query -%}{%- do names.append(recall_duckdb.bare(name)) -%}{%- endfor -%}
  {%- if length > 1 and recall_duckdb.bare(day_column) not in names -%}
    {%- set date_type = 'Nullable(DATE)' if adapter.type() == 'clickhouse' else 'DATE' -%}
    {%- set qrels_query = recall_duckdb.columns_of('qrels_query', asked.get('qrels_query')) or query -%}
    {%- do asked.update({'query': query + ['CAST(' ~ day_column ~ ' AS ' ~ date_type ~ ')']}) -%}
    {%- if qrels is not none -%}{%- do asked.update({'qrels_query': qrels_query + ['CAST(' ~ in_qrels ~ ' AS ' ~ date_type ~ ')']}) -%}{%- endif -%}
  {%- endif -%}
  {{- return(asked) -}}
{% endmacro %}

{# One day or a list of days, as dates. dbt parses a project without the variables that a command may lack. #}
{% macro dates_of(days) %}
  {%- set found, days = [], '1970-01-01' if days is none and not execute else days -%}
  {%- for each in ([days] if days is string or days is not iterable else days) -%}
    {%- set date = recall_duckdb.date_of(each ~ '') -%}
    {%- do recall_duckdb.refuse_if(date is none, "days: a day such as '2026-01-31' is expected, or a list of them, not " ~ (each or 'nothing: pass it, or set the environment variable RECALL_DUCKDB_DAY')) -%}
    {%- do found.append(date) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(not found or found | unique | list | length < found | length, 'days: name at least one day, and each once') -%}
  {{- return(found) -}}
{% endmacro %}

{# The date of a text such as 2026-01-31 or 2026-01-31T08:00:00+00:00; none if it is not one. #}
{% macro date_of(text) %}
  {%- set parts = text[:10].split('-') -%}
  {%- set time = text[10:] | replace(':', '') | replace('.', '') | replace('+', '') | replace('-', '') | replace('Z', '') -%}
  {%- if parts | map('length') | list == [4, 2, 2] and (parts | join).isdigit() and (not text[10:] or (time[:1] in ['T', ' '] and time[1:].isdigit())) -%}
    {%- set year, month, day = parts[0] | int, parts[1] | int, parts[2] | int -%}
    {#- Windows begin up to 3660 days before, and end a day after. -#}
    {%- if 1000 <= year <= 9998 and 1 <= month <= 12 and 1 <= day <= 31 -%}
      {%- set found = modules.datetime.date(year, month, 1) + modules.datetime.timedelta(day - 1) -%}
      {{- return(found if found.month == month else none) -}}
    {%- endif -%}
  {%- endif -%}
  {{- return(none) -}}
{% endmacro %}

{# The lengths of windows in days. #}
{% macro windows_of(windows, has_days) %}
  {%- set found = [] -%}
  {%- for each in ([windows] if windows is string or windows is not iterable else windows) -%}
    {%- set length = each | int(0) -%}
    {%- do recall_duckdb.refuse_if(length < 1 or length > 3660 or length ~ '' != each ~ '' or length in found, 'windows: numbers of days are expected, such as [1, 7, 28], each once, not ' ~ each) -%}
    {%- do recall_duckdb.refuse_if(length > 1 and not has_days, 'windows: ' ~ length ~ ' days need the column of the day in run and qrels: pass day_column=, or leave out windows') -%}
    {%- do found.append(length) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(not found, 'windows: name at least one length in days, such as 1') -%}
  {{- return(found) -}}
{% endmacro %}

{# The policies that a question follows, as JSON. #}
{% macro policies_text(asked) %}
  {%- set found = [] -%}
  {%- for name in ['no_relevant', 'missing', 'order'] if asked[name] is not none -%}{%- do found.append('"' ~ name ~ '": "' ~ asked[name] ~ '"') -%}{%- endfor -%}
  {%- for name in ['threshold', 'min_score'] if asked[name] is not none -%}{%- do found.append('"' ~ name ~ '": ' ~ asked[name]) -%}{%- endfor -%}
  {{- return("'{" ~ found | join(', ') ~ "}'") -}}
{% endmacro %}
