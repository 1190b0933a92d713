SELECT buyer, product_id, quantity, country
FROM {{ ref('bought') }}
WHERE quantity < 0
