{#- dbt filters both relations to a day by their event_time, runs this once for each day, and replaces the rows of that
  day. On PostgreSQL it merges row by row, so that a user who is no longer judged would stay. -#}
{{ config(
  materialized='incremental',
  incremental_strategy='microbatch',
  event_time='day',
  begin='2024-03-01',
  batch_size='day',
  unique_key={'postgres': ['model', 'user_id', 'day'], 'clickhouse': ['day']}.get(target.type),
  partition_by='day' if target.type == 'spark' else none
) }}
SELECT model, user_id, recall_at_2, day
FROM (
  {{ recall_duckdb.recall_at_k(
    run=ref('recommendations'), qrels=ref('purchases'), k=2, model='system', per_query=true,
    query=['user_id', 'day'], item='item_id', qrels_query=['buyer', 'day'], qrels_item='product_id',
    relevance='quantity'
  ) }}
) AS found
