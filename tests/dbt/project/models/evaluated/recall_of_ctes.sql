WITH run AS (
  SELECT user_id AS query, item_id AS item, score
  FROM {{ ref('cosine') }}
), qrels AS (
  SELECT buyer AS query, product_id AS item
  FROM {{ ref('bought') }}
  WHERE quantity > 0
)
SELECT *
FROM (
  {{ recall_duckdb.recall_at_k(run='run', qrels='qrels', k=[2, 4], relevance=none) }}
) AS found
