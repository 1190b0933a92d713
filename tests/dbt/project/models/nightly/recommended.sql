SELECT user_id, item_id, score, system, day
FROM {{ ref('recommendations') }}
