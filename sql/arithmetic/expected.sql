-- noqa: disable=CP05
-- What takes the place of functions in ../functions.sql under ties = expected. There is_relevant is a share, whose sum
-- depends on the order of the rows; so these numbers are read from other columns of judged.

CREATE FUNCTION hits_in_top(is_relevant, place, k) AS coalesce(max(CASE WHEN in_top(place, k) THEN hits END), 0);
CREATE FUNCTION hits_in_list(is_relevant, place) AS coalesce(max(CASE WHEN place >= 1 THEN hits END), 0);
CREATE FUNCTION relevant_items(is_relevant) AS max(relevant);
CREATE FUNCTION found_in_top(is_relevant, place, k) AS coalesce(max(CASE WHEN in_top(place, k) THEN found END), 0);
CREATE FUNCTION first_in_top(is_relevant, place, k) AS
exact_sum(CASE WHEN in_top(place, k) THEN is_first / CAST(place AS DOUBLE) ELSE 0 END);
