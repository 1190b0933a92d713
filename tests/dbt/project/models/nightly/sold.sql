{#- The purchases; those of the third day were loaded twice. -#}
SELECT buyer, product_id, quantity, country, day
FROM {{ ref('purchases') }}
UNION ALL
SELECT buyer, product_id, quantity, country, day
FROM {{ ref('purchases') }}
WHERE day = CAST('2024-03-03' AS DATE)
