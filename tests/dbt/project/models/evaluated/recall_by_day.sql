{#- Evaluates the newest day and later days again. The filter applies to the run and the qrels. -#}
{{ config(
  materialized='incremental',
  unique_key='day' if target.type != 'spark' else none,
  partition_by='day' if target.type == 'spark' else none,
  incremental_strategy='delete+insert' if target.type != 'spark' else 'insert_overwrite'
) }}
SELECT model, metric, k, value, queries, day
FROM (
  {{ recall_duckdb.recall_at_k(
    run=ref('recommendations'), qrels=ref('purchases'), k=[2, 4], model='system', by='day',
    filter='day >= (SELECT MAX(day) FROM ' ~ this ~ ')' if is_incremental() else none,
    query=['user_id', 'day'], item='item_id', qrels_query=['buyer', 'day'], qrels_item='product_id',
    relevance='quantity'
  ) }}
) AS found
WHERE day IS NOT NULL
