{# Add metrics such as 'recall@5,10' or 'fbeta(beta=2)@10', with their judgings, to a question. #}
{% macro add_metrics(q, metrics, threshold, precision, ties) %}
  {%- set asked = [] -%}
  {%- if metrics is none or metrics is mapping or metrics is not iterable -%}
    {%- do recall_duckdb.refuse("metrics: a name such as 'recall@10' is expected, or a list of them, not " ~ metrics) -%}
  {%- endif -%}
  {%- for text in ([metrics] if metrics is string else metrics) -%}
    {%- if text is not string -%}
      {%- do recall_duckdb.refuse_as('metric_name', {'value': text}) -%}
    {%- endif -%}
    {%- do recall_duckdb.add_metric(asked, recall_duckdb.own_name(text | trim), threshold, precision) -%}
  {%- endfor -%}
  {%- if not asked -%}
    {%- do recall_duckdb.refuse_as('no_metric', {}) -%}
  {%- endif -%}

  {#- The judgings. The first decides which queries have no relevant item. -#}
  {%- set held = [] -%}
  {%- for m in asked -%}
    {%- if m.judged_by not in held -%}
      {%- do held.append(m.judged_by) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- if held | selectattr('threshold', 'equalto', threshold) | list | length == 0 -%}
    {%- do held.append({'threshold': threshold, 'gain': 'linear'}) -%}
  {%- endif -%}
  {%- set ordered = [] -%}
  {%- for is_first, is_linear in [[true, true], [true, false], [false, true], [false, false]] -%}
    {%- for each in held if (each.threshold == threshold) == is_first and (each.gain == 'linear') == is_linear -%}
      {%- do ordered.append(each) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- set judgings = [] -%}
  {%- for each in ordered -%}
    {%- set suffix = '' if loop.first else '_' ~ loop.index -%}
    {%- do judgings.append({
      'threshold': each.threshold, 'gain': 'table' if ':' in each.gain else each.gain,
      'gains': recall_duckdb.number_table(each.gain), 'number': loop.index0, 'suffix': suffix,
      'measured': 'measured' ~ suffix, 'relevant': 'relevant' ~ suffix,
      'relevant_items': 'relevant_items' if loop.length == 1 else 'relevant_items_' ~ loop.index,
    }) -%}
    {%- for m in asked if m.judged_by == each -%}
      {%- do m.update({'judging': judgings | length - 1}) -%}
    {%- endfor -%}
  {%- endfor -%}

  {%- set depths = [] -%}
  {%- for m in asked -%}
    {%- do m.update({'number': loop.index}) -%}
    {%- do depths.append(m.k if m.looks_to_k else none) -%}
    {%- if q.get('item_sliced', false) and not m.in_item_slices -%}
      {%- do recall_duckdb.refuse_as('no_item_slices', {'metrics': m.name, 'known': recall_duckdb.facts().in_item_slices | join(', ')}) -%}
    {%- endif -%}
    {%- if ties == 'expected' and not m.expected -%}
      {%- do recall_duckdb.refuse_as('no_expectation', {'metrics': m.name}) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- do q.update({
    'metrics': asked, 'judgings': judgings, 'judging': judgings[0], 'depth': none if none in depths else depths | max
  }) -%}
{% endmacro %}


{# A metric by the name of this package; those of other libraries are spellings. #}
{% macro own_name(text) %}
  {%- set name = text.split('@')[0].split('(')[0] | trim -%}
  {%- set others = recall_duckdb.facts().spellings -%}
  {#- The names of trec_eval end with the cutoff, as in ndcg_cut_10. -#}
  {%- set cutoff = name.split('_') | last -%}
  {%- set with_cutoff = name[:name | length - cutoff | length] | lower -%}
  {%- if name in recall_duckdb.metric_catalog() -%}
    {{- return(text) -}}
  {%- elif name | lower in recall_duckdb.metric_catalog() -%}
    {{- return(name | lower ~ text[name | length:]) -}}
  {%- elif name | lower in others -%}
    {{- return(others[name | lower] ~ text[name | length:]) -}}
  {%- elif cutoff.isdigit() and with_cutoff in others -%}
    {{- return(others[with_cutoff] ~ '@' ~ cutoff ~ text[name | length:]) -}}
  {%- endif -%}
  {{- return(text) -}}
{% endmacro %}


{# One name of a metric with one or several cutoffs. #}
{% macro add_metric(asked, text, threshold, precision) %}
  {%- set head = text.split('@')[0] -%}
  {%- set name = head.split('(')[0] | trim -%}
  {%- set known = recall_duckdb.metric_catalog() -%}
  {%- if name not in known -%}
    {%- do recall_duckdb.refuse('there is no metric ' ~ name ~ ' (in ' ~ text ~ '). Known: ' ~ known.keys() | join(', ')) -%}
  {%- endif -%}
  {%- set of_metric = known[name] -%}
  {%- set written = head.split('(')[1].split(')')[0].split(',') if '(' in head else [] -%}
  {%- set cutoffs = text.split('@')[1].split(',') if '@' in text else [none] -%}
  {%- set rebuilt = name ~ ('(' ~ written | join(',') ~ ')' if written else '') ~ ('@' ~ cutoffs | join(',') if '@' in text else '') -%}
  {%- if rebuilt | replace(' ', '') != text | replace(' ', '') -%}
    {%- do recall_duckdb.refuse_as('metric_syntax', {'text': text}) -%}
  {%- endif -%}
  {%- set given = {} -%}
  {#- A part such as 2:5 continues the table before it. -#}
  {%- set parts = [] -%}
  {%- for part in written if part | trim -%}
    {%- if parts and '=' not in part and ':' in part -%}
      {%- do parts.append(parts.pop() ~ ',' ~ part | trim) -%}
    {%- else -%}
      {%- do parts.append(part) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- for part in parts -%}
    {%- set option = part.split('=')[0] | trim -%}
    {%- if option not in of_metric.options or part.split('=') | length != 2 or option in given -%}
      {%- do recall_duckdb.refuse(name ~ ' has no option ' ~ part ~ ', or it is given twice (in ' ~ text ~ '). Its options: ' ~ of_metric.options.keys() | join(', ')) -%}
    {%- endif -%}
    {%- do given.update({option: recall_duckdb.option_value(of_metric.options[option], option, part.split('=')[1] | trim, text)}) -%}
  {%- endfor -%}
  {#- The options in the order of the metric's own, without those that equal the default. -#}
  {%- set said = [] -%}
  {%- set chosen = {} -%}
  {%- for option, held in of_metric.options.items() -%}
    {%- set usual = threshold if held.default == '$threshold' else (precision if held.default == '$precision' else held.default) -%}
    {%- if option in given and given[option] != held.default -%}
      {%- do said.append(option ~ '=' ~ recall_duckdb.number_text(given[option])) -%}
    {%- endif -%}
    {%- do chosen.update({option: given.get(option, usual)}) -%}
  {%- endfor -%}
  {%- if 'threshold' in given and of_metric.needs_binary_gain and chosen.gain != 'binary' -%}
    {%- do recall_duckdb.refuse_as('idle_threshold', {'text': text}) -%}
  {%- endif -%}
  {%- set full = name ~ ('(' ~ said | join(',') ~ ')' if said else '') -%}
  {%- set part_of_column = said | join('_') | replace('-', 'minus') | replace('=', '_') | replace('.', '_') | replace('+', '_') | replace(':', '_') | replace(',', '_') -%}
  {%- for cutoff in cutoffs -%}
    {%- set k = recall_duckdb.cutoff(cutoff, of_metric, text) -%}
    {%- set column = name ~ ('_' ~ part_of_column if said else '') ~ ('' if k is none else '_at_' ~ k) -%}
    {%- if full ~ '@' ~ k not in asked | map(attribute='asked') | list -%}
      {%- set m = {
        'template': name, 'name': full, 'k': k, 'asked': full ~ '@' ~ k, 'column': column, 'plain': of_metric.plain,
        'whole_run': of_metric.whole_run, 'empty': of_metric.empty, 'looks_to_k': of_metric.looks_to_k,
        'expected': of_metric.expected and chosen.mean != 'geometric', 'needs': of_metric.needs,
        'in_item_slices': of_metric.in_item_slices,
        'needs_judgements': of_metric.needs_judgements, 'reads_candidates': of_metric.reads_candidates,
        'judged_by': {'threshold': chosen.get('threshold', threshold), 'gain': 'linear' if of_metric.own_gain else chosen.get('gain', 'linear')},
      } -%}
      {%- for option, value in of_metric.not_in_item_slices.items() if chosen[option] == value -%}
        {%- do m.update({'in_item_slices': false}) -%}
      {%- endfor -%}
      {%- for option, value in of_metric.unexpected.items() if chosen[option] == value -%}
        {%- do m.update({'expected': false}) -%}
      {%- endfor -%}
      {%- for option, value in chosen.items() if option != 'threshold' -%}
        {%- do m.update({option: value}) -%}
      {%- endfor -%}
      {%- if of_metric.whole_run -%}
        {%- do m.update({'mean': 'whole'}) -%}
      {%- endif -%}
      {%- do asked.append(m) -%}
    {%- endif -%}
  {%- endfor -%}
{% endmacro %}


{# The value of an option, one of its choices or a number within its bounds. #}
{% macro option_value(option, name, written, text) %}
  {%- if 'table' in option.choices and (':' in written or written == 'table') -%}
    {%- set pairs = [] -%}
    {%- for number, gain in recall_duckdb.number_table(written) -%}
      {%- do pairs.append(number ~ ':' ~ gain) -%}
    {%- endfor -%}
    {%- if not pairs -%}
      {%- do recall_duckdb.refuse_as('option', {'text': text, 'option': option.says, 'value': written}) -%}
    {%- endif -%}
    {{- return(pairs | join(',')) -}}
  {%- endif -%}
  {%- if option.choices -%}
    {%- do recall_duckdb.check_choice(text ~ ': ' ~ name, written, option.choices) -%}
    {{- return(written) -}}
  {%- endif -%}
  {#- The filter `float` turns text that is not a number into 0. -#}
  {%- set digits = written | lower | replace('e', '') | replace('.', '') | replace('-', '') | replace('+', '') -%}
  {%- set value = written | float -%}
  {%- if not digits or digits | int ~ '' != (digits.lstrip('0') or '0') or (value == 0 and digits.strip('0')) -%}
    {%- do recall_duckdb.refuse_as('option', {'text': text, 'option': option.says, 'value': written}) -%}
  {%- endif -%}
  {%- set is_low = value < option.low or (value == option.low and not option.closed[0]) -%}
  {%- set is_high = option.high is not none and (value > option.high or (value == option.high and not option.closed[1])) -%}
  {%- if is_low or is_high -%}
    {%- do recall_duckdb.refuse_as('option', {'text': text, 'option': option.says, 'value': written}) -%}
  {%- endif -%}
  {{- return(value) -}}
{% endmacro %}


{# The pairs of numbers of a table such as 1:1,2:5, as text, sorted; an empty list for anything else. #}
{% macro number_table(written) %}
  {%- set found = {} -%}
  {%- set wrong = [] -%}
  {%- for part in written.split(',') -%}
    {%- set pair = [] -%}
    {%- for text in part.split(':') -%}
      {%- set digits = text | trim | replace('.', '', 1) -%}
      {%- set digits = digits[1:] if loop.first and digits.startswith('-') else digits -%}
      {%- if digits.isdigit() and not (text | trim).startswith('.') and not (text | trim).endswith('.') -%}
        {%- do pair.append(text | trim | float) -%}
      {%- endif -%}
    {%- endfor -%}
    {%- if pair | length != 2 or part.split(':') | length != 2 or pair[0] in found or pair[1] > (1e12 if pair[0] > 0 else 0) -%}
      {%- do wrong.append(part) -%}
    {%- else -%}
      {%- do found.update({pair[0]: pair[1]}) -%}
    {%- endif -%}
  {%- endfor -%}
  {%- set pairs = [] -%}
  {%- for number in found | sort if not wrong -%}
    {%- do pairs.append([recall_duckdb.number_text(number), recall_duckdb.number_text(found[number])]) -%}
  {%- endfor -%}
  {{- return(pairs) -}}
{% endmacro %}


{# The gain that a table gives to a relevance; NULL if it names none. #}
{% macro gain_of(gains, relevance) -%}
CASE
  {%- set as_floats = [] -%}
  {%- for number, gain in gains if recall_duckdb.as_float(number | float) is not none -%}
    {%- do as_floats.append([recall_duckdb.as_float(number | float), gain]) -%}
  {%- endfor -%}
  {%- for number, gain in gains + as_floats %} WHEN {{ relevance }} = CAST('{{ number | float }}' AS {{ recall_duckdb.type_double() }}) THEN CAST('{{ gain | float }}' AS {{ recall_duckdb.type_double() }}){% endfor %} END
{%- endmacro %}


{# A number as a column of 32-bit floats holds it; none if that is the same number, or if it has more than 7 digits or is too small or large for one. #}
{% macro as_float(number) %}
  {%- if number is none or number | abs > 3e38 or number | abs < 1e-37 or '%.7g' | format(number) | float != number -%}
    {{- return(none) -}}
  {%- endif -%}
  {#- The sum keeps the 24 bits of the number that a 32-bit float has. -#}
  {%- set rounded = (number + number * 2 ** 29) - number * 2 ** 29 -%}
  {{- return(none if rounded == number else rounded) -}}
{% endmacro %}


{# A number as written in the name of a metric: 2 for 2.0. #}
{% macro number_text(value) %}
  {%- set text = value ~ '' -%}
  {{- return(text[:-2] if text.endswith('.0') else text) -}}
{% endmacro %}


{# A cutoff as a whole number, or none for the whole list. #}
{% macro cutoff(written, of_metric, text) %}
  {%- if written is none -%}
    {%- if of_metric.needs_k -%}
      {%- do recall_duckdb.refuse_as('needs_cutoff', {'text': text, 'name': text}) -%}
    {%- endif -%}
    {{- return(none) -}}
  {%- endif -%}
  {%- set k = written | trim | int(0) -%}
  {%- set largest = recall_duckdb.facts().largest_k -%}
  {%- if k < 1 or k > largest or k ~ '' != written | trim -%}
    {%- do recall_duckdb.refuse_as('cutoff', {'largest': largest, 'k': (written or 'nothing') ~ ' (in ' ~ text ~ ')'}) -%}
  {%- endif -%}
  {%- if not of_metric.takes_k -%}
    {%- do recall_duckdb.refuse(text ~ ': this metric takes no cutoff. Leave it out') -%}
  {%- endif -%}
  {{- return(k) -}}
{% endmacro %}


{# The name of a metric with its options and cutoffs, as `evaluate` takes it. #}
{% macro metric_name(name, k, options) %}
  {%- set given = [] -%}
  {%- for option, value in options.items() if value is not none -%}
    {%- do given.append(option ~ '=' ~ value) -%}
  {%- endfor -%}
  {%- if k is not none and k is not string and k is not number and not k -%}
    {%- do recall_duckdb.refuse('k: the list is empty: pass a cutoff, or none for the whole list') -%}
  {%- endif -%}
  {%- set cutoffs = [] if k is none else ([k] if k is string or k is number else k) -%}
  {{- return(name ~ ('(' ~ given | join(',') ~ ')' if given else '') ~ ('@' ~ cutoffs | join(',') if cutoffs else '')) -}}
{% endmacro %}


{# True if a lower value of a metric is better; names of its columns, such as average_rank_at_10, work too.

   A user's column popularity_debiased_recall is not a column of popularity. #}
{% macro is_lower(name) %}
  {%- set known = recall_duckdb.metric_catalog() -%}
  {%- set bare = recall_duckdb.bare(name) -%}
  {%- set longest = [''] -%}
  {%- for each, metric in known.items() if bare.startswith(each) and each | length > longest[-1] | length -%}
    {%- set rest = bare[each | length:] -%}
    {%- set found = [rest[:1] in ['', '@', '('] or (rest[:4] == '_at_' and rest[4:].isdigit())] -%}
    {%- for option in metric.options -%}
      {%- do found.append(rest.startswith('_' ~ option ~ '_')) -%}
    {%- endfor -%}
    {%- if true in found -%}
      {%- do longest.append(each) -%}
    {%- endif -%}
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
    {%- if not (per_query and is_column) -%}
      {%- do recall_duckdb.add_metrics(q, name, none, 'k', 'item_desc') -%}
    {%- endif -%}
    {%- for m in q.metrics if m.column not in found | map(attribute='column') | list -%}
      {%- do found.append({'name': m.name, 'k': m.k, 'column': m.column}) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- if not found -%}
    {%- do recall_duckdb.refuse("metric: name at least one, such as 'recall@10'") -%}
  {%- endif -%}
  {{- return(found) -}}
{% endmacro %}
