{{ config(**recall_duckdb.replace_days()) }}
{{ recall_duckdb.means_by_day(
  ['recall@2', 'ndcg@4'], run=ref('recommended'), qrels=ref('sold'), days=env_var('RECALL_DUCKDB_DAY', '2024-03-01'),
  windows=[1, 2], model='system', by='country',
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
