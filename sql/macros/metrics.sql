{# Add metrics such as 'recall@5,10' or 'fbeta(beta=2)@10', and their judgings, to a question. A judging is a threshold and
   a gain: the relations that depend on it exist once for each. The first one has the threshold of the question. #}
{% macro add_metrics(q, metrics, threshold) %}
  {%- set asked, held, judgings, depths = [], [], [], [] -%}
  {%- do recall_duckdb.refuse_if(metrics is none or metrics is mapping or metrics is not iterable, "metrics: a name such as 'recall@10' is expected, or a list of them, not " ~ metrics) -%}
  {%- for text in ([metrics] if metrics is string else metrics) -%}
    {%- do recall_duckdb.refuse_if(text is not string, "metrics: a name such as 'recall@10' is expected, not " ~ text) -%}
    {%- do recall_duckdb.add_metric(asked, recall_duckdb.own_name(text | trim), threshold) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(not asked, "metrics: name at least one, such as 'recall@10'") -%}
  {%- for m in asked -%}
    {%- if m.judged_by not in held -%}{%- do held.append(m.judged_by) -%}{%- endif -%}
    {%- do depths.append(m.k if m.depth else none) -%}
  {%- endfor -%}
  {%- set first = held | selectattr('threshold', 'equalto', threshold) | list or [{'threshold': threshold, 'gain': 'linear'}] -%}
  {%- for each in first + held | rejectattr('threshold', 'equalto', threshold) | list -%}
    {%- set suffix = '' if loop.first else '_' ~ loop.index -%}
    {%- do judgings.append({'threshold': each.threshold, 'gain': each.gain, 'suffix': suffix}) -%}
    {%- for m in asked if m.judged_by == each -%}{%- do m.update({'suffix': suffix}) -%}{%- endfor -%}
  {%- endfor -%}
  {%- do q.update({'metrics': asked, 'judgings': judgings, 'depth': none if none in depths else depths | max}) -%}
{% endmacro %}

{# A metric by the name of this package; those of other libraries are spellings. #}
{% macro own_name(text) %}
  {%- set name = text.split('@')[0].split('(')[0] | trim -%}
  {%- set known, others = recall_duckdb.metric_catalog(), recall_duckdb.facts().spellings -%}
  {#- The names of trec_eval end with the cutoff, as in ndcg_cut_10. -#}
  {%- set cutoff = name.split('_') | last -%}
  {%- set with_cutoff = name[:name | length - cutoff | length] | lower -%}
  {%- if name in known -%}{{- return(text) -}}{%- endif -%}
  {%- if name | lower in known -%}{{- return(name | lower ~ text[name | length:]) -}}{%- endif -%}
  {%- if name | lower in others -%}{{- return(others[name | lower] ~ text[name | length:]) -}}{%- endif -%}
  {{- return(others[with_cutoff] ~ '@' ~ cutoff ~ text[name | length:] if cutoff.isdigit() and with_cutoff in others else text) -}}
{% endmacro %}

{# One name of a metric with one or several cutoffs. #}
{% macro add_metric(asked, text, threshold) %}
  {%- set head, known, facts = text.split('@')[0], recall_duckdb.metric_catalog(), recall_duckdb.facts() -%}
  {%- set name = head.split('(')[0] | trim -%}
  {%- do recall_duckdb.refuse_if(name not in known, 'there is no metric ' ~ name ~ ' (in ' ~ text ~ '). Known: ' ~ known | join(', ')) -%}
  {%- set of_metric, options, given, said, chosen = known[name], {}, {}, [], {} -%}
  {%- for option in of_metric.options -%}{%- do options.update({option: of_metric.options[option]}) -%}{%- endfor -%}
  {%- for option in of_metric.shared -%}{%- do options.update({option: facts.options[option]}) -%}{%- endfor -%}
  {%- set parts = head.split('(')[1].split(')')[0].split(',') if '(' in head else [] -%}
  {%- set cutoffs = text.split('@')[1].split(',') if '@' in text else [none] -%}
  {%- set rebuilt = name ~ ('(' ~ parts | join(',') ~ ')' if parts else '') ~ ('@' ~ cutoffs | join(',') if '@' in text else '') -%}
  {%- do recall_duckdb.refuse_if(':' in head, text ~ ': the dbt package takes no tables of gains. ' ~ recall_duckdb.written()) -%}
  {%- do recall_duckdb.refuse_if(rebuilt | replace(' ', '') != text | replace(' ', ''), text ~ ' is not a valid metric: write name(option=value)@k') -%}
  {%- for part in parts if part | trim -%}
    {%- set option = part.split('=')[0] | trim -%}
    {%- do recall_duckdb.refuse_if(option not in options or part.split('=') | length != 2 or option in given, name ~ ' has no option ' ~ part ~ ', or it is given twice (in ' ~ text ~ '). Its options: ' ~ options | join(', ')) -%}
    {%- do given.update({option: recall_duckdb.option_value(options[option], option, part.split('=')[1] | trim, text)}) -%}
  {%- endfor -%}
  {#- The options in the order of the metric's own, without those that equal the default. -#}
  {%- for option, held in options.items() -%}
    {%- set usual = of_metric.mean if option == 'mean' else held.default -%}
    {%- if option in given and given[option] != usual -%}
      {%- do said.append(option ~ '=' ~ recall_duckdb.number_text(given[option])) -%}
    {%- endif -%}
    {%- set usual = threshold if option == 'threshold' else usual -%}
    {%- set value = given.get(option, usual) -%}
    {%- do chosen.update({option: recall_duckdb.number_text(value) if option == 'base' else value}) -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if('threshold' in given and of_metric.needs_binary_gain and chosen.gain != 'binary', text ~ ': the threshold has no effect here: gains ignore it unless gain=binary') -%}
  {%- set full, gain = name ~ ('(' ~ said | join(',') ~ ')' if said else ''), chosen.gain if 'gain' in of_metric.shared else 'linear' -%}
  {%- set part_of_column = said | join('_') | replace('-', 'minus') | replace('=', '_') | replace('.', '_') | replace('+', '_') -%}
  {%- for cutoff in cutoffs -%}
    {%- set k = recall_duckdb.cutoff(cutoff, of_metric, text) -%}
    {%- set m = dict(of_metric) -%}
    {%- do m.update({'template': name, 'name': full, 'k': k, 'asked': full ~ '@' ~ k, 'judged_by': {'threshold': chosen.get('threshold', threshold), 'gain': gain}}) -%}
    {%- do m.update({'column': name ~ ('_' ~ part_of_column if said else '') ~ ('' if k is none else '_at_' ~ k)}) -%}
    {%- do m.update(chosen) -%}
    {%- if m.asked not in asked | map(attribute='asked') | list -%}{%- do asked.append(m) -%}{%- endif -%}
  {%- endfor -%}
{% endmacro %}

{# The value of an option, one of its choices or a number within its bounds. #}
{% macro option_value(option, name, written, text) %}
  {%- if option.choices -%}
    {%- do recall_duckdb.check_choice(text ~ ': ' ~ name, written, option.choices) -%}
    {{- return(written) -}}
  {%- endif -%}
  {#- The filter `float` turns text that is not a number into 0. -#}
  {%- set value, digits = written | float, written | lower | replace('e', '') | replace('.', '') | replace('-', '') | replace('+', '') -%}
  {%- set is_text = not digits or digits | int ~ '' != (digits.lstrip('0') or '0') or (value == 0 and digits.strip('0')) -%}
  {%- set is_out = value < option.low or value > option.high or (value == option.low and not option.closed[0]) or (value == option.high and not option.closed[1]) -%}
  {%- do recall_duckdb.refuse_if(is_text or is_out, text ~ ': ' ~ option.says ~ ', not ' ~ written) -%}
  {{- return(value) -}}
{% endmacro %}

{# A number as a column of 32-bit floats holds it; none if that is the same number, or if it has more than 7 digits or is too small or large for one. #}
{% macro as_float(number) %}
  {%- if number is none or number | abs > 3e38 or number | abs < 1e-37 or '%.7g' | format(number) | float != number -%}
    {{- return(none) -}}
  {%- endif -%}
  {#- The sum keeps the 24 bits of the number that a 32-bit float has. -#}
  {%- set rounded = (number + number * 2 ** 29) - number * 2 ** 29 -%}
  {{- return(none if rounded == number else rounded) -}}
{% endmacro %}

{# The condition that a number is at least a bound, also where a 32-bit float holds the bound. #}
{% macro reaches(column, bound) %}
  {%- set float, double = recall_duckdb.as_float(bound), recall_duckdb.type_double() -%}
  {%- set test = column ~ " >= CAST('" ~ bound ~ "' AS " ~ double ~ ')' -%}
  {{- return(test if float is none else '(' ~ test ~ ' OR ' ~ column ~ " = CAST('" ~ float ~ "' AS " ~ double ~ '))') -}}
{% endmacro %}

{# A number as written in the name of a metric: 2 for 2.0. #}
{% macro number_text(value) %}{{- return((value ~ '')[:-2] if (value ~ '').endswith('.0') else value ~ '') -}}{% endmacro %}

{# A cutoff as a whole number, or none for the whole list. #}
{% macro cutoff(written, of_metric, text) %}
  {%- if written is none -%}
    {%- do recall_duckdb.refuse_if(of_metric.needs_k, text ~ ' needs a cutoff, as in ' ~ text ~ '@10') -%}
    {{- return(none) -}}
  {%- endif -%}
  {%- set k, largest = written | trim | int(0), recall_duckdb.facts().largest_k -%}
  {%- do recall_duckdb.refuse_if(k < 1 or k > largest or k ~ '' != written | trim, 'k must be a whole number from 1 to ' ~ largest ~ ', not ' ~ (written or 'nothing') ~ ' (in ' ~ text ~ ')') -%}
  {%- do recall_duckdb.refuse_if(not of_metric.takes_k, text ~ ': this metric takes no cutoff. Leave it out') -%}
  {{- return(k) -}}
{% endmacro %}

{# The name of a metric with its options and cutoffs, as `evaluate` takes it. #}
{% macro metric_name(name, k, options) %}
  {%- set given = [] -%}
  {%- for option, value in options.items() if value is not none -%}{%- do given.append(option ~ '=' ~ value) -%}{%- endfor -%}
  {%- do recall_duckdb.refuse_if(k is not none and k is not string and k is not number and not k, 'k: the list is empty: pass a cutoff, or none for the whole list') -%}
  {%- set cutoffs = [] if k is none else ([k] if k is string or k is number else k) -%}
  {{- return(name ~ ('(' ~ given | join(',') ~ ')' if given else '') ~ ('@' ~ cutoffs | join(',') if cutoffs else '')) -}}
{% endmacro %}

{# True if a lower value of a metric is better; names of its columns, such as average_rank_at_10, work too.

   A user's column popularity_debiased_recall is not a column of popularity. #}
{% macro is_lower(name) %}
  {%- set known, bare, longest = recall_duckdb.metric_catalog(), recall_duckdb.bare(name), [''] -%}
  {%- for each, metric in known.items() if bare.startswith(each) and each | length > longest[-1] | length -%}
    {%- set rest = bare[each | length:] -%}
    {%- set found = [rest[:1] in ['', '@', '('] or (rest[:4] == '_at_' and rest[4:].isdigit())] -%}
    {%- for option in metric.options | list + metric.shared -%}{%- do found.append(rest.startswith('_' ~ option ~ '_')) -%}{%- endfor -%}
    {%- if true in found -%}{%- do longest.append(each) -%}{%- endif -%}
  {%- endfor -%}
  {{- return(longest[-1] != '' and known[longest[-1]].lower) -}}
{% endmacro %}

{# The condition that a lower value of the metric in a column is better. #}
{% macro lower_is_better(column) %}
  {%- set found = [] -%}
  {%- for name, metric in recall_duckdb.metric_catalog().items() if metric.lower -%}
    {%- do found.append(column ~ " = '" ~ name ~ "' OR " ~ column ~ " LIKE '" ~ name ~ "(%'") -%}
  {%- endfor -%}
  {{- return('(' ~ found | join(' OR ') ~ ')') -}}
{% endmacro %}

{# The metrics that a test names: for means those of `evaluate`, for values per query also the names of their columns. #}
{% macro tested_metrics(metrics, per_query) %}
  {%- set found = [] -%}
  {%- for name in recall_duckdb.columns_of('metric', metrics) -%}
    {%- set q = {'metrics': [{'name': name, 'k': none, 'column': name}]} -%}
    {%- set is_column = name[0] in ['"', '`'] or ('@' not in name and name.split('(')[0] not in recall_duckdb.metric_catalog()) -%}
    {%- if not (per_query and is_column) -%}{%- do recall_duckdb.add_metrics(q, name, none) -%}{%- endif -%}
    {%- for m in q.metrics if m.column not in found | map(attribute='column') | list -%}
      {%- do found.append({'name': m.name, 'k': m.k, 'column': m.column}) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- do recall_duckdb.refuse_if(not found, "metric: name at least one, such as 'recall@10'") -%}
  {{- return(found) -}}
{% endmacro %}
