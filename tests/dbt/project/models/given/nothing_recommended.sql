SELECT user_id, item_id, score
FROM {{ ref('cosine') }}
WHERE score < 0
