{# The arguments that `means_by_day` has in addition to those of a question.

   days (list[string]) = none: required: the day to write, such as '2026-01-31', or a list of days
   day_column (string) = 'day': the column of the day in run and qrels, a date or a time; none if the run is of one day
   qrels_day_column (string) = none: the column of the day in qrels, if it differs; '' for none
   windows (list[integer]) = 1: lengths in days, such as [1, 7, 28], of windows that end on each day
#}

{# The configuration of an incremental model that replaces the days that it selects, so that a day can run twice.

   Adapters replace rows by a key or by a partition; insert_overwrite of dbt-databricks can replace the whole table. With full_refresh: false, no command drops the other days. #}
{% macro replace_days(column='day') %}
  {%- do recall_duckdb.check_adapter() -%}
  {%- set by_key = {'incremental_strategy': 'delete+insert', 'unique_key': column} -%}
  {%- set of_adapters = {
    'spark': {'incremental_strategy': 'insert_overwrite', 'partition_by': column},
    'bigquery': {'incremental_strategy': 'insert_overwrite', 'partition_by': {'field': column, 'data_type': 'date'}},
    'athena': {'incremental_strategy': 'insert_overwrite', 'partitioned_by': [column]},
  } -%}
  {%- set found = {'materialized': 'incremental', 'full_refresh': false} -%}
  {%- do found.update(of_adapters.get(adapter.type(), by_key)) -%}
  {{- return(found) -}}
{% endmacro %}


{# The means of each day, and of the windows that end on it; `asked` are the arguments of `evaluate`.

   Each window is a question of its own, whose conditions are literals: engines then read only the days of the window.
   Athena needs the day as the last column. #}
{% macro composed_by_day(asked, days, day_column, qrels_day_column, windows) %}
  {%- set in_qrels = day_column if qrels_day_column is none else (qrels_day_column or none) -%}
  {%- for argument, column in [['day_column', day_column], ['qrels_day_column', in_qrels]] if column is not none -%}
    {%- if column is not string or not column | trim -%}
      {%- do recall_duckdb.refuse(argument ~ ': one column is expected, not ' ~ (column or 'nothing')) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- set windows = recall_duckdb.windows_of(windows, day_column is not none and (asked.qrels is none or in_qrels is not none)) -%}
  {%- set dates = recall_duckdb.dates_of(days) -%}
  {%- if day_column is none and (dates | length > 1 or qrels_day_column is not none) -%}
    {%- do recall_duckdb.refuse('day_column: without it, the run holds a single day: pass one day in days, and leave out qrels_day_column') -%}
  {%- endif -%}
  {%- set names = [] -%}
  {%- for argument in ['by', 'item_by'] -%}
    {%- for name in recall_duckdb.columns_of(argument, asked[argument]) -%}
      {%- do names.append(name) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- do recall_duckdb.check_names('by, item_by', names, ['day', 'window_days', 'policies', 'version']) -%}
  {%- for date in dates -%}
    {%- set of_date = loop -%}
    {%- for length in windows -%}
      {%- set q = recall_duckdb.question_of_window(asked, date, length, day_column, in_qrels) %}
SELECT
  model,
  {%- for name in names %}
  {{ name }},
  {%- endfor %}
  metric,
  k,
  value,
  queries,
  {{ recall_duckdb.policies_text(asked) }} AS policies,
  '{{ recall_duckdb.facts().version }}' AS version,
  {{ length }} AS window_days,
  CAST('{{ date }}' AS DATE) AS day
FROM (
  {{ recall_duckdb.composed(q) | trim | indent(2) }}
) AS rd_means
{{- '\nUNION ALL' if not (loop.last and of_date.last) }}
    {%- endfor -%}
  {%- endfor -%}
{% endmacro %}


{# The question of the days of a window. In several days, the list of a query on one day is a list of its own.

   The columns of the day may be times, which differ in run and qrels. #}
{% macro question_of_window(asked, date, length, day_column, in_qrels) %}
  {%- set of_window = dict(asked) -%}
  {%- set day = modules.datetime.timedelta(1) -%}
  {%- set bounds = ["CAST('" ~ (date - day * (length - 1)) ~ "' AS DATE)", "CAST('" ~ (date + day) ~ "' AS DATE)"] -%}
  {%- set qrels_filter = asked.filter if asked.qrels_filter is none else asked.qrels_filter -%}
  {%- for argument, column, given in [['filter', day_column, asked.filter], ['qrels_filter', in_qrels, qrels_filter]] -%}
    {%- set conditions = ['(' ~ given ~ '\n)'] if given else [] -%}
    {%- if column is not none -%}
      {%- set conditions = conditions + [column ~ ' >= ' ~ bounds[0], column ~ ' < ' ~ bounds[1]] -%}
    {%- endif -%}
    {%- if argument == 'filter' or asked.qrels is not none -%}
      {%- do of_window.update({argument: conditions | join(' AND ')}) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- set query = recall_duckdb.columns_of('query', asked.query) -%}
  {%- set names = [] -%}
  {%- for name in query -%}
    {%- do names.append(recall_duckdb.bare(name)) -%}
  {%- endfor -%}
  {%- if length > 1 and recall_duckdb.bare(day_column) not in names -%}
    {%- set date_type = 'Nullable(DATE)' if adapter.type() == 'clickhouse' else 'DATE' -%}
    {%- set qrels_query = recall_duckdb.columns_of('qrels_query', asked.qrels_query) or query -%}
    {%- do of_window.update({'query': query + ['CAST(' ~ day_column ~ ' AS ' ~ date_type ~ ')']}) -%}
    {%- if asked.qrels is not none -%}
      {%- do of_window.update({'qrels_query': qrels_query + ['CAST(' ~ in_qrels ~ ' AS ' ~ date_type ~ ')']}) -%}
    {%- endif -%}
  {%- endif -%}
  {{- return(recall_duckdb.question(of_window)) -}}
{% endmacro %}


{# One day or a list of days, as dates. dbt parses a project without the variables that a command may lack. #}
{% macro dates_of(days) %}
  {%- set found = [] -%}
  {%- set days = '1970-01-01' if days is none and not execute else days -%}
  {%- for each in ([days] if days is string or days is not iterable else days) -%}
    {%- set date = recall_duckdb.date_of(each ~ '') -%}
    {%- if date is none -%}
      {%- do recall_duckdb.refuse("days: a day such as '2026-01-31' is expected, or a list of them, not " ~ (each or 'nothing')) -%}
    {%- endif -%}
    {%- do found.append(date) -%}
  {%- endfor -%}
  {%- if not found or found | unique | list | length < found | length -%}
    {%- do recall_duckdb.refuse('days: name at least one day, and each once') -%}
  {%- endif -%}
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
    {%- if length < 1 or length > 3660 or length ~ '' != each ~ '' or length in found -%}
      {%- do recall_duckdb.refuse('windows: numbers of days are expected, such as [1, 7, 28], each once, not ' ~ each) -%}
    {%- endif -%}
    {%- if length > 1 and not has_days -%}
      {%- do recall_duckdb.refuse('windows: ' ~ length ~ ' days need the column of the day in run and qrels: pass day_column=, or leave out windows') -%}
    {%- endif -%}
    {%- do found.append(length) -%}
  {%- endfor -%}
  {%- if not found -%}
    {%- do recall_duckdb.refuse('windows: name at least one length in days, such as 1') -%}
  {%- endif -%}
  {{- return(found) -}}
{% endmacro %}


{# The policies that a question follows, as JSON. #}
{% macro policies_text(asked) %}
  {%- set found = [] -%}
  {%- for name in recall_duckdb.facts().policies if asked[name] is not none -%}
    {%- do found.append('"' ~ name ~ '": "' ~ asked[name] ~ '"') -%}
  {%- endfor -%}
  {%- for name in ['depth', 'threshold', 'min_score'] if asked[name] is not none -%}
    {%- do found.append('"' ~ name ~ '": ' ~ asked[name]) -%}
  {%- endfor -%}
  {{- return("'{" ~ found | join(', ') ~ "}'") -}}
{% endmacro %}
