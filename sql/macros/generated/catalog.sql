{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_of_pipeline(q, name) %}
  {%- if name == 'qrels_best' -%} {{- recall_duckdb.relation_qrels_best(q) -}}
  {%- elif name == 'qrels_none' -%} {{- recall_duckdb.relation_qrels_none(q) -}}
  {%- elif name == 'qrels_rows' -%} {{- recall_duckdb.relation_qrels_rows(q) -}}
  {%- elif name == 'qrels_shared' -%} {{- recall_duckdb.relation_qrels_shared(q) -}}
  {%- elif name == 'run_best' -%} {{- recall_duckdb.relation_run_best(q) -}}
  {%- elif name == 'run_ranks' -%} {{- recall_duckdb.relation_run_ranks(q) -}}
  {%- elif name == 'run_scores' -%} {{- recall_duckdb.relation_run_scores(q) -}}
  {%- elif name == 'candidates' -%} {{- recall_duckdb.relation_candidates(q) -}}
  {%- elif name == 'catalog_items' -%} {{- recall_duckdb.relation_catalog_items(q) -}}
  {%- elif name == 'excluded' -%} {{- recall_duckdb.relation_excluded(q) -}}
  {%- elif name == 'given_models' -%} {{- recall_duckdb.relation_given_models(q) -}}
  {%- elif name == 'held_items' -%} {{- recall_duckdb.relation_held_items(q) -}}
  {%- elif name == 'judged_items' -%} {{- recall_duckdb.relation_judged_items(q) -}}
  {%- elif name == 'judgements' -%} {{- recall_duckdb.relation_judgements(q) -}}
  {%- elif name == 'listed' -%} {{- recall_duckdb.relation_listed(q) -}}
  {%- elif name == 'models_named' -%} {{- recall_duckdb.relation_models_named(q) -}}
  {%- elif name == 'models_retrieved' -%} {{- recall_duckdb.relation_models_retrieved(q) -}}
  {%- elif name == 'ranked_expected' -%} {{- recall_duckdb.relation_ranked_expected(q) -}}
  {%- elif name == 'ranked_given' -%} {{- recall_duckdb.relation_ranked_given(q) -}}
  {%- elif name == 'ranked_item' -%} {{- recall_duckdb.relation_ranked_item(q) -}}
  {%- elif name == 'ranked_item_desc' -%} {{- recall_duckdb.relation_ranked_item_desc(q) -}}
  {%- elif name == 'ranked_kept' -%} {{- recall_duckdb.relation_ranked_kept(q) -}}
  {%- elif name == 'ranked_optimistic' -%} {{- recall_duckdb.relation_ranked_optimistic(q) -}}
  {%- elif name == 'ranked_pessimistic' -%} {{- recall_duckdb.relation_ranked_pessimistic(q) -}}
  {%- elif name == 'retrieved' -%} {{- recall_duckdb.relation_retrieved(q) -}}
  {%- elif name == 'shown' -%} {{- recall_duckdb.relation_shown(q) -}}
  {%- elif name == 'similarities' -%} {{- recall_duckdb.relation_similarities(q) -}}
  {%- elif name == 'slices_qrels' -%} {{- recall_duckdb.relation_slices_qrels(q) -}}
  {%- elif name == 'slices_run' -%} {{- recall_duckdb.relation_slices_run(q) -}}
  {%- elif name == 'training_size' -%} {{- recall_duckdb.relation_training_size(q) -}}
  {%- elif name == 'unit_features' -%} {{- recall_duckdb.relation_unit_features(q) -}}
  {%- elif name == 'graded' -%} {{- recall_duckdb.relation_graded(q) -}}
  {%- elif name == 'ideal' -%} {{- recall_duckdb.relation_ideal(q) -}}
  {%- elif name == 'judged_expected' -%} {{- recall_duckdb.relation_judged_expected(q) -}}
  {%- elif name == 'judged_ordered' -%} {{- recall_duckdb.relation_judged_ordered(q) -}}
  {%- elif name == 'tied_groups' -%} {{- recall_duckdb.relation_tied_groups(q) -}}
  {%- elif name == 'averages' -%} {{- recall_duckdb.relation_averages(q) -}}
  {%- elif name == 'every_query' -%} {{- recall_duckdb.relation_every_query(q) -}}
  {%- elif name == 'means' -%} {{- recall_duckdb.relation_means(q) -}}
  {%- elif name == 'measured' -%} {{- recall_duckdb.relation_measured(q) -}}
  {%- elif name == 'per_query' -%} {{- recall_duckdb.relation_per_query(q) -}}
  {%- elif name == 'pool' -%} {{- recall_duckdb.relation_pool(q) -}}
  {%- elif name == 'weighted' -%} {{- recall_duckdb.relation_weighted(q) -}}
  {%- endif -%}
{% endmacro %}

{% macro metric(q, m) %}
  {%- if m.template == 'ap' -%} {{- recall_duckdb.metric_ap(q, m) -}}
  {%- elif m.template == 'auc' -%} {{- recall_duckdb.metric_auc(q, m) -}}
  {%- elif m.template == 'bpref' -%} {{- recall_duckdb.metric_bpref(q, m) -}}
  {%- elif m.template == 'capped_recall' -%} {{- recall_duckdb.metric_capped_recall(q, m) -}}
  {%- elif m.template == 'coverage' -%} {{- recall_duckdb.metric_coverage(q, m) -}}
  {%- elif m.template == 'dcg' -%} {{- recall_duckdb.metric_dcg(q, m) -}}
  {%- elif m.template == 'diversity' -%} {{- recall_duckdb.metric_diversity(q, m) -}}
  {%- elif m.template == 'eleven_point' -%} {{- recall_duckdb.metric_eleven_point(q, m) -}}
  {%- elif m.template == 'err' -%} {{- recall_duckdb.metric_err(q, m) -}}
  {%- elif m.template == 'f1' -%} {{- recall_duckdb.metric_f1(q, m) -}}
  {%- elif m.template == 'fall_out' -%} {{- recall_duckdb.metric_fall_out(q, m) -}}
  {%- elif m.template == 'fbeta' -%} {{- recall_duckdb.metric_fbeta(q, m) -}}
  {%- elif m.template == 'gini' -%} {{- recall_duckdb.metric_gini(q, m) -}}
  {%- elif m.template == 'hit_rate' -%} {{- recall_duckdb.metric_hit_rate(q, m) -}}
  {%- elif m.template == 'hits' -%} {{- recall_duckdb.metric_hits(q, m) -}}
  {%- elif m.template == 'inf_ap' -%} {{- recall_duckdb.metric_inf_ap(q, m) -}}
  {%- elif m.template == 'iprec' -%} {{- recall_duckdb.metric_iprec(q, m) -}}
  {%- elif m.template == 'judged' -%} {{- recall_duckdb.metric_judged(q, m) -}}
  {%- elif m.template == 'ndcg' -%} {{- recall_duckdb.metric_ndcg(q, m) -}}
  {%- elif m.template == 'novelty' -%} {{- recall_duckdb.metric_novelty(q, m) -}}
  {%- elif m.template == 'num_q' -%} {{- recall_duckdb.metric_num_q(q, m) -}}
  {%- elif m.template == 'num_rel' -%} {{- recall_duckdb.metric_num_rel(q, m) -}}
  {%- elif m.template == 'num_rel_ret' -%} {{- recall_duckdb.metric_num_rel_ret(q, m) -}}
  {%- elif m.template == 'num_ret' -%} {{- recall_duckdb.metric_num_ret(q, m) -}}
  {%- elif m.template == 'overlap' -%} {{- recall_duckdb.metric_overlap(q, m) -}}
  {%- elif m.template == 'pair_diversity' -%} {{- recall_duckdb.metric_pair_diversity(q, m) -}}
  {%- elif m.template == 'popularity' -%} {{- recall_duckdb.metric_popularity(q, m) -}}
  {%- elif m.template == 'precision' -%} {{- recall_duckdb.metric_precision(q, m) -}}
  {%- elif m.template == 'r_precision' -%} {{- recall_duckdb.metric_r_precision(q, m) -}}
  {%- elif m.template == 'rbp' -%} {{- recall_duckdb.metric_rbp(q, m) -}}
  {%- elif m.template == 'recall' -%} {{- recall_duckdb.metric_recall(q, m) -}}
  {%- elif m.template == 'rr' -%} {{- recall_duckdb.metric_rr(q, m) -}}
  {%- elif m.template == 'set_ap' -%} {{- recall_duckdb.metric_set_ap(q, m) -}}
  {%- endif -%}
{% endmacro %}

{% macro facts() %}
  {{- return({
    'adapters': ['duckdb', 'trino', 'athena', 'bigquery', 'clickhouse', 'spark', 'databricks', 'postgres', 'redshift', 'snowflake'],
    'policies': {'no_relevant': ['zero', 'skip'], 'missing': ['zero', 'skip'], 'ties': ['item_desc', 'item', 'optimistic', 'pessimistic', 'expected'], 'duplicates': [none, 'best'], 'nulls': ['last', 'drop'], 'precision': ['k', 'retrieved'], 'unjudged': ['keep', 'drop'], 'ranks': [none, 'given', 'renumber'], 'empty': [none, 'allow'], 'semantics': ['trec_eval_10', 'trec_eval_9'], 'ids': ['typed', 'text']},
    'optional_inputs': {'exclude': {'names': ['query', 'item'], 'numbers': []}, 'items': {'names': ['item'], 'numbers': []}, 'weights': {'names': ['query'], 'numbers': ['weight']}, 'training': {'names': ['query', 'item'], 'numbers': []}, 'catalog': {'names': ['item'], 'numbers': []}, 'features': {'names': ['item', 'feature'], 'numbers': ['weight']}, 'pairs': {'names': ['item', 'other'], 'numbers': ['similarity']}},
    'result_columns': ['model', 'metric', 'k', 'value', 'queries'],
    'largest_k': 999999999999999999,
    'skipped': {'candidates': {'instead': 'run', 'inputs': ['exclude', 'items', 'judged_only']}, 'judgements': {'instead': 'qrels', 'inputs': ['items']}, 'every_query': {'instead': 'per_query', 'inputs': ['may_be_empty']}},
    'labelled': ['run_source', 'qrels_source'],
    'pipeline': {'shared': ['labelled', 'qrels_source', 'run_source', 'catalog', 'exclude', 'training', 'items', 'named_models', 'pairs', 'features', 'metrics', 'weights', 'run', 'catalog_items', 'excluded', 'held_items', 'training_size', 'listed', 'similarities', 'unit_features', 'qrels', 'given_models', 'judgements', 'slices', 'judged_items', 'weighted', 'candidates', 'ranked', 'retrieved', 'shown', 'pool', 'models'], 'judged': ['graded', 'ideal', 'tied_groups', 'judged', 'measured'], 'summary': ['per_query', 'every_query', 'averages']},
  }) -}}
{% endmacro %}

{% macro messages() %}
  {{- return({
    'choice': '{argument}: {value} is not one of {choices}',
    'threshold': 'threshold: {threshold} is not above 0: relevance of 0 or below is never relevant; shift your relevance if its scale begins lower',
    'column_name': '{argument}: a column name is expected, not {value}',
    'named_twice': '{argument}: {names} names a column twice',
    'no_query': 'query: name the column, or columns, that say which query a row belongs to',
    'qrels_query': 'qrels_query: {qrels_query} must be as many columns as query: {query}',
    'result_column': '{argument}: the result has a column {name} of its own: rename the column in your data',
    'metric_column': '{argument}: the result has a column {name} for the metric: rename the column in your data',
    'no_metric': "metrics: name at least one, such as 'recall@10'",
    'metric_name': "metrics: a name such as 'recall@10' is expected, not {value}",
    'metric_syntax': '{text} is not a valid metric: write name(option=value)@k',
    'option': '{text}: {option}, not {value}',
    'idle_threshold': '{text}: the threshold has no effect here: gains ignore it unless gain=binary',
    'no_expectation': "ties: 'expected' has no closed form for {metrics}: leave it out, or choose another order",
    'unread': '{name}: no requested metric reads it: leave it out, or ask for a metric that does',
    'cutoff': 'k must be a whole number from 1 to {largest}, not {k}',
  }) -}}
{% endmacro %}

{% macro metric_catalog() %}
  {{- return({
    'ap': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {'over': 'hits'}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'over': {'default': 'relevant', 'choices': ['relevant', 'capped', 'k', 'hits'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'over is relevant, capped, k or hits (default: relevant)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'auc': {'takes_k': false, 'looks_to_k': false, 'plain': false, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'bpref': {'takes_k': false, 'looks_to_k': false, 'plain': false, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'capped_recall': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'coverage': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': true, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': ['catalog'], 'options': {}},
    'dcg': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'gain': {'default': 'linear', 'choices': ['linear', 'exponential', 'binary'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'gain is linear, exponential or binary (default: linear)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'diversity': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': false, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': ['features'], 'options': {'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'eleven_point': {'takes_k': false, 'looks_to_k': false, 'plain': false, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'err': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'max_grade': {'default': 4.0, 'choices': [], 'low': 1.0, 'high': 39.0, 'closed': [true, true], 'says': 'max_grade is a number at least 1 and at most 39 (default: 4)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'f1': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'over': {'default': '$precision', 'choices': ['k', 'retrieved'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'over is k or retrieved (default: the policy precision)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'fall_out': {'takes_k': true, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {'of': 'judged'}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'of': {'default': 'retrieved', 'choices': ['retrieved', 'judged'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'of is retrieved or judged (default: retrieved)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'fbeta': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'beta': {'default': 1.0, 'choices': [], 'low': 0.0, 'high': 1000.0, 'closed': [false, true], 'says': 'beta is a number above 0 and at most 1000 (default: 1)'}, 'over': {'default': '$precision', 'choices': ['k', 'retrieved'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'over is k or retrieved (default: the policy precision)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'gini': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': true, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': ['catalog'], 'options': {}},
    'hit_rate': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'hits': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'inf_ap': {'takes_k': false, 'looks_to_k': false, 'plain': false, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'iprec': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'recall': {'default': 0.0, 'choices': [], 'low': 0.0, 'high': 1.0, 'closed': [true, true], 'says': 'recall is a number at least 0 and at most 1 (default: 0)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'judged': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'over': {'default': 'retrieved', 'choices': ['retrieved', 'k'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'over is retrieved or k (default: retrieved)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'ndcg': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'gain': {'default': 'linear', 'choices': ['linear', 'exponential', 'binary'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'gain is linear, exponential or binary (default: linear)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'novelty': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': false, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': ['training'], 'options': {'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'num_q': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'mean': {'default': 'sum', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: sum)'}}},
    'num_rel': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'sum', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: sum)'}}},
    'num_rel_ret': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'sum', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: sum)'}}},
    'num_ret': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'mean': {'default': 'sum', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: sum)'}}},
    'overlap': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': true, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': [], 'options': {}},
    'pair_diversity': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': false, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': ['pairs'], 'options': {'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'popularity': {'takes_k': true, 'looks_to_k': true, 'plain': false, 'whole_run': false, 'empty': 'skip', 'expected': false, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': false, 'needs_judgements': false, 'needs': ['training'], 'options': {'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'precision': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'over': {'default': '$precision', 'choices': ['k', 'retrieved'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'over is k or retrieved (default: the policy precision)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'r_precision': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'rbp': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': true, 'own_gain': true, 'needs_judgements': true, 'needs': [], 'options': {'p': {'default': 0.9, 'choices': [], 'low': 0.0, 'high': 1.0, 'closed': [false, false], 'says': 'p is a number above 0 and below 1 (default: 0.9)'}, 'gain': {'default': 'binary', 'choices': ['binary', 'linear', 'scaled'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'gain is binary, linear or scaled (default: binary)'}, 'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'recall': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'rr': {'takes_k': true, 'looks_to_k': true, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': true, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
    'set_ap': {'takes_k': false, 'looks_to_k': false, 'plain': true, 'whole_run': false, 'empty': 'zero', 'expected': false, 'unexpected': {}, 'needs_binary_gain': false, 'own_gain': false, 'needs_judgements': true, 'needs': [], 'options': {'threshold': {'default': '$threshold', 'choices': [], 'low': 0.0, 'high': none, 'closed': [false, false], 'says': 'threshold is a number above 0 (default: the policy threshold)'}, 'mean': {'default': 'arithmetic', 'choices': ['arithmetic', 'geometric', 'sum'], 'low': -1e+308, 'high': none, 'closed': [false, false], 'says': 'mean is arithmetic, geometric or sum (default: arithmetic)'}}},
  }) -}}
{% endmacro %}
