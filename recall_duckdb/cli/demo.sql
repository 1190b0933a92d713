-- Writes the data of `recall-duckdb demo` to the folder demo: the films of a service, the lists of two recommenders, and
-- what the users watched next. md5 draws the numbers from a seed, so every version of DuckDB writes the same rows.
SET VARIABLE seed = 'film service 1';

-- Draw a whole number from 0 to `below` - 1.
CREATE MACRO draw(name, a, b, below) AS
  CAST(md5_number_lower(concat_ws(',', getvariable('seed'), name, a, b)) % below AS INTEGER);

CREATE MACRO draw_genre(name, a, b) AS
  ['comedy', 'crime', 'drama', 'family', 'history', 'romance', 'space', 'thriller'][1 + draw(name, a, b, 8)];

-- Ids of four digits have the same order as numbers and as text, so ties have one order in every format.
CREATE TABLE films AS
SELECT
  1000 + row_number() OVER (ORDER BY draw('film', adjective, noun, 1000000)) AS film_id,
  concat('The ', adjective, ' ', noun) AS title,
  draw_genre('genre', adjective, noun) AS genre,
  10000 // (5 + draw('fame', adjective, noun, 100)) AS fame
FROM (
  SELECT
    unnest([
      'Blue', 'Broken', 'Distant', 'Empty', 'Golden', 'Hidden', 'Last', 'Little', 'Long', 'Lost', 'Midnight', 'Quiet',
      'Red', 'Second', 'Secret', 'Winter'
    ]) AS adjective
)
CROSS JOIN (
  SELECT
    unnest([
      'Bridge', 'Garden', 'Guest', 'Harbour', 'House', 'Island', 'Letter', 'Mountain', 'Orchard', 'River', 'Station',
      'Summer'
    ]) AS noun
);

-- A user likes two genres, has seen `seen` films (new users at most two), and watches four to nine more.
CREATE TABLE users AS
SELECT
  user_id,
  ['new', 'regular', 'regular', 'frequent'][1 + draw('segment', user_id, 0, 4)] AS segment,
  CASE segment
    WHEN 'new' THEN draw('seen', user_id, 0, 3)
    WHEN 'regular' THEN 4 + draw('seen', user_id, 0, 10)
    ELSE 12 + draw('seen', user_id, 0, 10)
  END AS seen,
  seen + 4 + draw('next', user_id, 0, 6) AS total,
  draw_genre('first', user_id, 0) AS first_genre,
  draw_genre('second', user_id, 0) AS second_genre
FROM range(1, 401) AS ids(user_id);

-- Users choose known films, and films of the genres that they like.
CREATE TABLE views AS
SELECT
  user_id,
  film_id,
  segment,
  row_number() OVER (PARTITION BY user_id ORDER BY draw('order', user_id, film_id, 1000000), film_id) > seen AS is_next
FROM (
  FROM users
  CROSS JOIN films
  QUALIFY
    row_number() OVER (
      PARTITION BY user_id
      ORDER BY
        fame * CASE genre WHEN first_genre THEN 6000 WHEN second_genre THEN 3000 ELSE 1000 END
        // (35 + draw('view', user_id, film_id, 1000)) DESC,
        film_id
    ) <= total
);

CREATE TABLE history AS
SELECT user_id, film_id, count(*) OVER (PARTITION BY film_id) AS viewers
FROM views
WHERE NOT is_next;

-- The films that most users have seen.
CREATE TABLE popular AS
SELECT
  user_id,
  film_id,
  viewers AS score,
  row_number() OVER (PARTITION BY user_id ORDER BY score DESC, film_id DESC) AS rank
FROM users
CROSS JOIN (SELECT DISTINCT film_id, viewers FROM history)
ANTI JOIN history USING (user_id, film_id)
QUALIFY rank <= 20;

-- The films that were seen by those who have seen the user's films. There is no list for a user who has seen none.
CREATE TABLE personal AS
SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY score DESC, film_id DESC) AS rank
FROM (
  SELECT user_id, similar_films.film_id, CAST(sum(similarity) AS INTEGER) AS score
  FROM history
  INNER JOIN (
    SELECT
      seen.film_id AS seen_id,
      other.film_id,
      CAST(1000 * count(*) / sqrt(any_value(seen.viewers) * any_value(other.viewers)) AS INTEGER) AS similarity
    FROM history AS seen
    INNER JOIN history AS other USING (user_id)
    GROUP BY seen.film_id, other.film_id
  ) AS similar_films ON history.film_id = seen_id
  GROUP BY user_id, similar_films.film_id
)
ANTI JOIN history USING (user_id, film_id)
QUALIFY rank <= 20;

-- Relevance is 1 for a film that was watched, and 2 for one that the user liked.
CREATE TABLE watched AS
SELECT user_id, film_id, 1 + draw('liked', user_id, film_id, 2) AS relevance, segment
FROM views
WHERE is_next;

COPY (SELECT film_id, title, genre FROM films ORDER BY film_id) TO 'demo/films.parquet';
COPY (SELECT user_id, film_id, score FROM popular ORDER BY user_id, rank) TO 'demo/popular.parquet';
COPY (SELECT user_id, film_id, score FROM personal ORDER BY user_id, rank) TO 'demo/personal.parquet';
COPY (FROM watched ORDER BY user_id, film_id) TO 'demo/watched.parquet';

-- The same data in other formats.
COPY (
  SELECT user_id, 'Q0', film_id, rank, score, 'popular' FROM popular ORDER BY user_id, rank
) TO 'demo/popular.trec' (
  FORMAT csv, HEADER false, DELIMITER ' '
);
COPY (
  SELECT user_id, 'Q0', film_id, rank, score, 'personal' FROM personal ORDER BY user_id, rank
) TO 'demo/personal.trec' (
  FORMAT csv, HEADER false, DELIMITER ' '
);
COPY (SELECT user_id, 0, film_id, relevance FROM watched ORDER BY user_id, film_id) TO 'demo/watched.qrels' (
  FORMAT csv, HEADER false, DELIMITER ' '
);
COPY (
  SELECT user_id, coalesce(retrieved, []) AS retrieved, watched
  FROM (SELECT user_id, list(film_id ORDER BY film_id) AS watched FROM watched GROUP BY user_id)
  LEFT JOIN (
    SELECT user_id, list({'film_id': film_id, 'score': score} ORDER BY rank) AS retrieved
    FROM personal
    GROUP BY user_id
  ) USING (user_id)
  ORDER BY user_id
) TO 'demo/personal.jsonl' (FORMAT json);
