SELECT model, metric, k, value, queries
FROM {{ ref('quality') }}
WHERE k < 0
