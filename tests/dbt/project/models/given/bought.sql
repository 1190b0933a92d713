SELECT buyer, product_id, quantity, country
FROM {{ ref('purchases') }}
WHERE day = CAST('2024-03-03' AS DATE)
