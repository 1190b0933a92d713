SELECT user_id, item_id, score
FROM {{ ref('recommendations') }}
WHERE system = 'cosine' AND day = CAST('2024-03-03' AS DATE)
