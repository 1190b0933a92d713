{{ recall_duckdb.compare(
  values=ref('recall_per_user_and_day'), metrics='recall_at_2', baseline='popular', query=['user_id', 'day'], by='day'
) }}
