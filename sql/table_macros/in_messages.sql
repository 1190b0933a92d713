-- The text of a message with the names of the user's columns, as an expression.
--
-- Grain:  a single row.
-- Params: $text, in which {item} stands for the name of the column of items, and so on; the arguments of the macro.
-- Edges:  {score} is the rank if an argument names one. Without a column of relevance, each row has relevance 1.
SELECT -- noqa: LT09
  list_reduce( -- noqa: PRS
    [
      ['', $text],
      ['{query}', $query],
      ['{item}', $item],
      ['{qrels_query}', coalesce($qrels_query, $query)],
      ['{qrels_item}', coalesce($qrels_item, $item)],
      ['{score}', coalesce($rank, $score)],
      ['{rank}', $rank],
      ['{relevance}', coalesce($relevance, 'relevance')],
      ['{by}', $by],
      ['{max_grade}', concat($max_grade)],
      [
        '{relevant_if}',
        concat(CASE WHEN $threshold IS NULL THEN 'above 0' ELSE 'at or above the threshold ' END, $threshold)
      ]
    ],
    LAMBDA _found, _name: ['', replace(_found[2], _name[1], concat(_name[2]))]
  )[2] AS text
