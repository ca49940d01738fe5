# Estimates of a result, for tables.

# nolint start: object_name_linter.
# Results of a statistic that have another form have a method beside it.
estimates_of <- function(x) UseMethod("estimates_of")
# nolint end
