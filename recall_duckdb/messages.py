"""The messages that Python and the macros of dbt share. `{name}` is a placeholder, for `format` and for Jinja."""

CHOICE = "{argument}: {value} is not one of {choices}"
THRESHOLD = (
    "threshold: {threshold} is not above 0: relevance of 0 or below is never relevant; "
    "shift your relevance if its scale begins lower"
)
COLUMN_NAME = "{argument}: a column name is expected, not {value}"
NAMED_TWICE = "{argument}: {names} names a column twice"
NO_MIN_SCORE = (
    "min_score: it is a lowest score, but with order='ascending' low scores are the best. Leave it out, and "
    "remove the rows with high scores from the run"
)
TWO_ROLES = "{first}, {second}: both name the column {name}, but a column has one meaning. Name two columns"
DISTANCE = (
    "score: {name} is usually a distance, of which the lowest is the best. Pass order='ascending' or, if the "
    "highest is the best, order='descending'"
)
RANK = (
    "score: {name} is usually a rank, of which the lowest is the best. Pass {rank}, or order='ascending' or, if the "
    "highest is the best, order='descending'"
)
NO_QUERY = "query: name the column, or columns, that say which query a row belongs to"
QRELS_QUERY = "qrels_query: {qrels_query} must be as many columns as query: {query}"
RESULT_COLUMN = "{argument}: the result has a column {name} of its own: rename the column in your data"
METRIC_COLUMN = "{argument}: the result has a column {name} for the metric: rename the column in your data"
NO_METRIC = "metrics: name at least one, such as 'recall@10'"
METRIC_NAME = "metrics: a name such as 'recall@10' is expected, not {value}"
NEEDS_CUTOFF = "{text} needs a cutoff, as in {name}@10"
METRIC_SYNTAX = "{text} is not a valid metric: write name(option=value)@k"
OPTION = "{text}: {option}, not {value}"
IDLE_THRESHOLD = "{text}: the threshold has no effect here: gains ignore it unless gain=binary"
NO_DEPTH = "depth: {what} needs whole lists. Leave depth out, or cut the lists in the data"
NO_EXPECTATION = "ties: 'expected' has no closed form for {metrics}: leave it out, or choose another order"
NO_ITEM_SLICES = (
    "item_by: {metrics} has no meaning within a slice of items, because its value depends on more than the ranks of "
    "the relevant items in the slice. Leave it out, or ask for one of {known}"
)
UNREAD = "{name}: no requested metric reads it: leave it out, or ask for a metric that does"
CUTOFF = "k must be a whole number from 1 to {largest}, not {k}"
