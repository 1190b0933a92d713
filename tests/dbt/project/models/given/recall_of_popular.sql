SELECT * FROM {{ ref('recall_per_user_and_day') }} WHERE model = 'popular'
