{# Compute several metrics in one pass. The SELECT returns their means: model, the columns of by, metric, k, value and
   queries. With per_query, it returns a row for each judged query. #}
{% macro evaluate(metrics, run, qrels=none) %}
  {%- set q = recall_duckdb.question('evaluate', metrics, run, qrels, kwargs) -%}
  {%- do recall_duckdb.tell_unchecked() -%}
  {{- recall_duckdb.statement(q) -}}
{% endmacro %}

{# The statement of a question: its relations, then the values of queries or the means. `also` are further columns of means. #}
{% macro statement(q, also='') %}
  {%- do recall_duckdb.check_names('query', q.query_names if q.asked.per_query else [], []) -%}
  {{- recall_duckdb.with_relations(q) }}
  {{- '\n' ~ recall_duckdb.values_per_query(q) if q.asked.per_query else recall_duckdb.means(q, also) -}}
{% endmacro %}

{# WITH the relations of a question: the inputs, the lists in rank order, the judged items, and the values of queries. #}
{% macro with_relations(q, for_check=false) %}
  {%- set asked, double, reads = q.asked, recall_duckdb.type_double(), [] -%}
  {%- for m in q.metrics -%}
    {%- set text = recall_duckdb.aggregate(q, m) if m.plain else recall_duckdb.metric_rows(q, m, m.suffix) -%}
    {#- The words of a text name the columns and relations that it reads. -#}
    {%- do m.update({'text': text | trim, 'reads': modules.re.findall('(?:rd_|\\b)([a-z]+(?:_[a-z]+)*)', text)}) -%}
    {%- do reads.extend(m.reads) -%}
  {%- endfor -%}
  {%- set is_split = for_check or asked.no_relevant == 'skip' or asked.missing == 'skip' -%}
  {%- set retrieved, has_rank = 'retrieved' in reads or is_split, asked.rank is not none -%}
  {%- set is_simple = not is_split and not q.slices and asked.weights is none and q.judgings | length == 1 and q.metrics | rejectattr('plain') | list | length == 0 -%}
WITH {% for name, sources in q.sources.items() %}{{ name }} AS (
  {%- for source in sources %}
  {{ recall_duckdb.source(source) }}{{ '\n  UNION ALL' if not loop.last }}
  {%- endfor %}
), {% endfor -%}
{%- if q.labelled -%}
rd_qrels AS (
  SELECT {{ 'DISTINCT ' if q.several }}{{ q.query }}, rd_item, relevance
  FROM rd_run
), {% elif not q.has_qrels -%}
rd_qrels AS (
  SELECT {{ q.query }}, MAX(CASE WHEN rd_item IS NULL THEN rd_item END) AS rd_item, CAST(0 AS {{ double }}) AS relevance
  FROM rd_run
  GROUP BY {{ q.query }}
), {% endif -%}
{%- if asked.exclude is not none -%}
rd_candidates AS (
  SELECT {{ q.key }}, rd_item, rd_score
  FROM rd_run
  LEFT JOIN (SELECT DISTINCT {{ q.query }}, rd_item, 1 AS rd_excluded FROM rd_exclude) AS rd_all_excluded USING ({{ q.query }}, rd_item)
  WHERE COALESCE(rd_excluded, 0) = 0
), {% endif -%}
rd_ranked AS (
  SELECT {{ q.key }}, rd_item,
    {{ recall_duckdb.nullable('rd_rank') if has_rank and asked.exclude is none else recall_duckdb.nullable('ROW_NUMBER() OVER (PARTITION BY ' ~ q.key ~ ' ORDER BY rd_score DESC NULLS LAST, rd_item DESC NULLS LAST)') }} AS rd_rank
  FROM {{ q.candidates }}
  {%- if asked.min_score is not none %}
  WHERE {{ recall_duckdb.reaches('rd_score', asked.min_score) }}
  {%- endif %}
), {% if retrieved -%}
rd_retrieved AS (
  SELECT {{ q.key }}, {{ 'COUNT(*) AS rd_length' if asked.min_score is none else 'SUM(CASE WHEN ' ~ recall_duckdb.reaches('rd_score', asked.min_score) ~ ' THEN 1 ELSE 0 END) AS rd_length, COUNT(*) AS rd_candidates' }}
  FROM {{ 'rd_ranked' if asked.min_score is none else q.candidates }}
  GROUP BY {{ q.key }}
), {% endif -%}
{%- for name in ['weighted', 'catalog_items', 'held_items', 'training_size', 'obvious_items', 'similarities', 'unit_features'] if name in reads or (name == 'weighted' and asked.weights is not none) -%}
rd_{{ name }} AS (
  {{ recall_duckdb.relation(q, name) | trim | indent(2) }}
), {% endfor -%}
{%- if q.slices -%}
rd_slices AS (
  SELECT {{ q.query }}{% for slice in q.slices %}, MAX({{ slice }}) AS {{ slice }}{% endfor %}
  FROM rd_{{ q.by_in }}
  GROUP BY {{ q.query }}
), {% endif -%}
{%- for judging in q.judgings -%}
  {{ recall_duckdb.judged(q, judging, retrieved, is_split, is_simple) }}
{%- endfor -%}
{%- for m in q.metrics if not m.plain -%}
rd_{{ m.column }} AS (
  {{ m.text | indent(2) }}
), {% endfor -%}
{%- if not is_simple -%}
rd_per_query AS (
  SELECT {{ q.key }}{% if is_split %}, rd_retrieved{% for judging in q.judgings %}, rd_relevant{{ judging.suffix }}{% endfor %}{% endif %}{% for slice in q.slices %}, {{ slice }}{% endfor %}{{ ', query_weight' if asked.weights is not none }}
  {%- for m in q.metrics if not for_check %},
    {{ recall_duckdb.value_of(q, m, m.column ~ '_raw' if m.plain else 'CAST(' ~ m.column ~ '_raw AS ' ~ double ~ ')') }} AS {{ m.column }}
  {%- endfor %}
  FROM rd_measured
  {%- for judging in q.judgings[1:] %}
  INNER JOIN rd_measured{{ judging.suffix }} USING ({{ q.key }})
  {%- endfor %}
  {%- for m in q.metrics if not m.plain %}
  LEFT JOIN rd_{{ m.column }} USING ({{ 'rd_model' if m.whole_run else q.key }})
  {%- endfor %}
  {%- if q.slices %}
  LEFT JOIN rd_slices USING ({{ q.query }})
  {%- endif %}
  {%- if asked.weights is not none %}
  LEFT JOIN rd_weighted USING ({{ q.query }})
  {%- endif %}
  {{- '\n  WHERE ' ~ q.queries | join(' IS NOT NULL AND ') ~ ' IS NOT NULL' if for_check }}
)
{%- endif %}
{%- endmacro %}

{# The SELECT of a relation of the user. A condition may end with a comment, and dbt may add an alias to the relation. #}
{% macro source(source) -%}
SELECT {% for expression, column in source.columns %}{{ expression }} AS {{ column }}{{ (',\n    ' if column in ['rd_item', 'rd_rank'] else ', ') if not loop.last }}{% endfor %}
  FROM {{ source.relation }}
  {%- if source.filter %}
  WHERE {{ source.filter }}
  {%- endif %}
{%- endmacro %}

{# Every judged item under every model, with its rank in the list, and the values of the metrics of a judging for each query. #}
{% macro judged(q, judging, retrieved, is_split, is_simple) %}
  {%- set s, double, reads, plain = judging.suffix, recall_duckdb.type_double(), [], [] -%}
  {%- for m in q.metrics if m.suffix == s -%}
    {%- do reads.extend(m.reads) -%}
    {%- if m.plain -%}{%- do plain.append(m) -%}{%- endif -%}
  {%- endfor -%}
  {%- set gained = 'gain' in reads or 'top_gain' in reads or 'ideal_rank' in reads -%}
  {%- set relevant = 'relevance > 0' if judging.threshold is none else recall_duckdb.reaches('relevance', judging.threshold) -%}
  {%- set gain = {'linear': 'WHEN relevance > 0 THEN relevance', 'exponential': 'WHEN relevance > 0 THEN POWER(2, relevance) - 1', 'binary': 'WHEN ' ~ relevant ~ ' THEN 1'}[judging.gain] -%}
  {%- set own = 'PARTITION BY ' ~ q.key -%}
  {%- set hits = 'SUM(CASE WHEN rd_rank >= 1 THEN is_relevant ELSE 0 END) OVER (' ~ own ~ ' ORDER BY rd_rank ASC NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)' -%}
  {%- set columns = {'retrieved': 'COALESCE(rd_length, 0)', 'top_gain': 'MAX(gain) OVER (' ~ own ~ ')', 'ideal_rank': 'ROW_NUMBER() OVER (' ~ own ~ ' ORDER BY gain DESC)', 'relevant': 'SUM(is_relevant) OVER (' ~ own ~ ')', 'hits': hits, 'relevant_hits': 'is_relevant * ' ~ hits} -%}
rd_graded{{ s }} AS (
  SELECT {{ q.query }}, rd_item, relevance, CASE WHEN {{ relevant }} THEN 1 ELSE 0 END AS is_relevant
  {%- if gained %},
    CASE {{ gain }} ELSE CAST(0 AS {{ double }}) END AS gain
  {%- endif %}
  FROM rd_qrels
), rd_judged{{ s }} AS (
  SELECT {{ q.key }}, relevance, is_relevant, {{ 'gain, ' if gained }}rd_rank AS rank
  {%- for name, expression in columns.items() if name in reads or (name == 'retrieved' and retrieved and not s) %},
    {{ expression }} AS {{ name }}
  {%- endfor %}
  {%- if q.asked.min_score is not none and is_split and not s %},
    COALESCE(rd_candidates, 0) AS rd_all
  {%- endif %}
  FROM (SELECT DISTINCT rd_model FROM {{ q.candidates }}) AS rd_models
  CROSS JOIN rd_graded{{ s }}
  LEFT JOIN {{ 'rd_ranked' if q.depth is none else '(SELECT * FROM rd_ranked WHERE rd_rank <= ' ~ q.depth ~ ') AS rd_top' }} USING ({{ q.key }}, rd_item)
  {%- if 'retrieved' in reads or (retrieved and not s) %}
  LEFT JOIN rd_retrieved USING ({{ q.key }})
  {%- endif %}
), {% if 'shown' in reads -%}
rd_shown{{ s }} AS (
  SELECT {{ q.key }}, rd_item, rd_rank AS rank
  FROM rd_ranked
  INNER JOIN (SELECT DISTINCT {{ q.query }} FROM rd_graded{{ s }}{{ ' WHERE is_relevant = 1' if q.asked.no_relevant == 'skip' }}) AS rd_counted USING ({{ q.query }})
), {% endif -%}
{{ 'rd_per_query' if is_simple else 'rd_measured' ~ s }} AS (
  SELECT {{ q.key }}{{ ', SUM(is_relevant) AS rd_relevant' ~ s if is_split }}{{ ', MAX(' ~ ('retrieved' if q.asked.min_score is none else 'rd_all') ~ ') AS rd_retrieved' if is_split and not s }}
  {%- for m in plain %},
    {{ recall_duckdb.value_of(q, m, m.text) ~ ' AS ' ~ m.column if is_simple else m.text ~ ' AS ' ~ m.column ~ '_raw' }}
  {%- endfor %}
  FROM rd_judged{{ s }}
  GROUP BY {{ q.key }}
){{ ', ' if not is_simple }}{% endmacro %}

{# The value of a metric for a query, with the policies for undefined values. #}
{% macro value_of(q, m, raw) %}
  {%- set value = raw if m.empty == 'skip' else 'COALESCE(' ~ raw ~ ', 0)' -%}
  {%- set cases = (['WHEN rd_relevant' ~ m.suffix ~ ' = 0 THEN NULL'] if q.asked.no_relevant == 'skip' else []) + (['WHEN rd_retrieved = 0 THEN NULL'] if q.asked.missing == 'skip' else []) -%}
  {%- set cases = cases + (['WHEN rd_retrieved > 0 THEN ' ~ raw] if q.asked.no_relevant == 'skip' and m.empty != 'skip' else []) -%}
  {{- return('CASE ' ~ cases | join(' ') ~ ' ELSE ' ~ value ~ ' END' if cases else value) -}}
{% endmacro %}

{# Models, queries and slices under the user's names, and a column for each metric per query, such as recall_at_10. #}
{% macro values_per_query(q) -%}
SELECT rd_model AS model
  {%- for query in q.queries %}, {{ query }} AS {{ q.query_names[loop.index0] }}{% endfor %}
  {%- for slice in q.slices %}{{ ', ' ~ slice ~ ' AS ' ~ q.slice_names[loop.index0] if q.slice_names[loop.index0] not in q.query_names }}{% endfor %}
  {%- for m in q.metrics if not m.whole_run %}, {{ m.column }}{% endfor %}
FROM rd_per_query
{%- endmacro %}

{# The mean of a metric, and the number of queries in it. #}
{% macro mean_of(q, m) %}
  {%- set x = 'CASE WHEN rd_is_slice = 0 THEN ' ~ m.column ~ ' END' if m.mean == 'whole' and q.slices else m.column -%}
  {%- set floor = 'CASE WHEN ' ~ x ~ ' < 0.00001 THEN 0.00001 ELSE ' ~ x ~ ' END' -%}
  {%- set y = 'LN(' ~ floor ~ ')' if m.mean == 'geometric' else x -%}
  {%- set weighted = q.asked.weights is not none and m.mean in ['arithmetic', 'geometric'] -%}
  {%- set mean = 'SUM(' ~ y ~ ' * query_weight) / NULLIF(SUM(CASE WHEN ' ~ x ~ ' IS NOT NULL THEN query_weight END), 0)' if weighted else 'AVG(' ~ y ~ ')' -%}
  {%- set mean = {'geometric': 'EXP(' ~ mean ~ ')', 'sum': 'SUM(' ~ x ~ ')', 'whole': 'MAX(' ~ x ~ ')'}.get(m.mean, mean) -%}
  {{- return([mean, 'COUNT(' ~ ('CASE WHEN query_weight > 0 THEN ' ~ x ~ ' END' if weighted else x) ~ ')']) -}}
{% endmacro %}

{# The means in long form. Where an engine computes a relation again for each reader, one SELECT reads the values. #}
{% macro means(q, also='') %}
  {%- set of, levels, names = 'rd_sliced' if q.slices else 'rd_per_query', [], [] -%}
  {%- for slice in q.slices -%}
    {%- do levels.append(slice | replace('slice', 'level')) -%}
    {%- do names.append(', ' ~ levels[-1] ~ ' AS ' ~ q.slice_names[loop.index0]) -%}
  {%- endfor -%}
  {%- set keys = (['rd_model'] + levels + (['rd_is_slice'] if levels else [])) | join(', ') -%}
  {%- if levels -%}
, rd_sliced AS (
  SELECT rd_per_query.*, rd_is_slice{% for slice in q.slices %}, CASE WHEN rd_is_slice = 1 THEN {{ slice }} END AS {{ levels[loop.index0] }}{% endfor %}
  FROM rd_per_query
  CROSS JOIN (SELECT 0 AS rd_is_slice UNION ALL SELECT 1 AS rd_is_slice) AS rd_levels
  WHERE rd_is_slice = 0 OR ({{ q.slices | join(' IS NOT NULL AND ') }} IS NOT NULL)
)
  {%- endif -%}
  {%- if q.metrics | length > 1 and adapter.type() in recall_duckdb.facts().repeats %}
SELECT rd_model AS model{{ names | join }}, metric, k,
  CASE metric_no{% for m in q.metrics %} WHEN {{ loop.index }} THEN {{ recall_duckdb.mean_of(q, m)[0] }}{% endfor %} END AS value,
  CASE metric_no{% for m in q.metrics %} WHEN {{ loop.index }} THEN {{ recall_duckdb.mean_of(q, m)[1] }}{% endfor %} END AS queries{{ also }}
FROM {{ of }}
CROSS JOIN (
  {%- for m in q.metrics %}
  SELECT {{ loop.index }} AS metric_no, '{{ m.name }}' AS metric, {{ m.k or recall_duckdb.no_cutoff() }} AS k{{ ' UNION ALL' if not loop.last }}
  {%- endfor %}
) AS rd_metrics
GROUP BY {{ keys }}, metric_no, metric, k
  {%- else -%}
    {%- for m in q.metrics %}
SELECT rd_model AS model{{ names | join }}, '{{ m.name }}' AS metric, {{ m.k or recall_duckdb.no_cutoff() }} AS k,
  {{ recall_duckdb.mean_of(q, m)[0] }} AS value, {{ recall_duckdb.mean_of(q, m)[1] }} AS queries{{ also }}
FROM {{ of }} GROUP BY {{ keys }}{{ '\nUNION ALL' if not loop.last }}
    {%- endfor %}
  {%- endif -%}
{% endmacro %}

{# Say in the log of a model's first run that no test checks what it reads. #}
{% macro tell_unchecked() %}
  {%- if execute and model is defined and model.resource_type == 'model' and load_relation(this) is none -%}
    {%- set tests = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'test' and node.test_metadata -%}
      {%- if node.test_metadata.namespace == 'recall_duckdb' and node.test_metadata.name == 'check' -%}
        {%- for read in node.depends_on.nodes if read in model.depends_on.nodes -%}{%- do tests.append(node.name) -%}{%- endfor -%}
      {%- endif -%}
    {%- endfor -%}
    {%- if not tests -%}
      {%- do log('recall_duckdb: no test checks what ' ~ model.name ~ ' reads: duplicates, NULL ids and other faults would change its values. Add the data test recall_duckdb.check to the run', info=true) -%}
    {%- endif -%}
  {%- endif -%}
{% endmacro %}
