# One class of results, `dp_result`, with one method for each verb. The kinds are results of
# statistics, released queries (`dp_released`, a data frame) and batches of these
# (`dp_released_batch`). A kind says here what its columns, facts, intervals and pictures are.

# A row for each number, with `covers`: what `tidy()` returns.
result_rows <- function(x) UseMethod("result_rows")

# The table that `as.data.frame()` returns.
result_frame <- function(x) UseMethod("result_frame")

# A row of public facts about the loss: what `glance()` returns.
result_facts <- function(x) UseMethod("result_facts")

# Intervals cover with probability 1 - alpha.
alpha_of <- function(x) UseMethod("alpha_of")

# list(table, covers): the ends of intervals in two columns, and their target.
result_intervals <- function(x, parm, level, formula, call) UseMethod("result_intervals")

# Functions by name. Each returns list(kind, table, title, xlab, ylab, note, ...).
pictures <- function(x) UseMethod("pictures")

# Whether it has the elements of a statistic's result.
is_of_statistic <- function(x) !is.null(attr(x, "about"))
