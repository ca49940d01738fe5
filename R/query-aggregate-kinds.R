# Kinds of aggregates. The core describes each of them in one row (core/query/aggregates).

# Names of the aggregates in the core.
aggregate_kinds <- c(
  dp_count = "count", dp_n_ids = "ids", dp_n_missing = "missing", dp_n_distinct = "distinct",
  dp_sum = "sum", dp_mean = "mean", dp_var = "variance", dp_sd = "deviation",
  dp_quantile = "quantiles", dp_median = "quantiles", dp_histogram = "histogram",
  dp_n_capped = "capped", dp_n_dropped = "dropped", dp_moment = "moment"
)

# Aggregates that functions make and users do not write: effects of dp_tables().
hidden_kinds <- "effect"

aggregate_rows <- function() as.data.frame(core_aggregates())

makes_counts <- function(kind) kind %in% kinds_where(aggregate_rows()$quantity == "count")

# Statistics follow from several noisy numbers, so a group with few rows has none.
makes_statistics <- function(kind) kind %in% kinds_where(aggregate_rows()$quantity == "statistic")

# Sums and statistics read their column as amounts: values outside the bounds count as the nearer
# bound.
reads_amounts <- function(kind) {
  kind %in% setdiff(kinds_where(aggregate_rows()$quantity != "count"), hidden_kinds)
}

takes_weights <- function(kind) kind %in% kinds_where(aggregate_rows()$weights)

kinds_where <- function(rows) aggregate_rows()$kind[rows]

unit_functions <- c(n = "rows", sum = "sum", min = "least", max = "most", any = "any", all = "all")

# Models that read rows, by the name of their aggregate in the core.
row_models <- c(logit = "logistic model", poisson = "Poisson model")

reads_rows <- function(query) {
  any(vapply(query$aggregates, function(one) one$fun %in% names(row_models), NA))
}
