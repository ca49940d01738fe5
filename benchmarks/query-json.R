# Question: which query in JSON takes longest, of those within the limits for clients of a server?
#
#   Rscript benchmarks/query-json.R
#
# Each plan below is as large as a limit allows. It is read, put on a table and previewed, or is
# refused. The table prints the seconds and the outcome of each, the slowest first.
library(PSIlence)

internal <- asNamespace("PSIlence")
column <- function(name) list(op = "column", name = name)
literal <- function(value) list(op = "literal", value = value)
of <- function(op, ...) list(op = op, args = list(...))

table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1), dp_domain(
  x = dp_num(0, 100), g = dp_levels(1:100), h = dp_levels(101:200), i = dp_levels(201:300)
))
counted <- list(list(name = "n", fun = "count", weight = 1, method = "automatic"))

plan <- function(steps = list(), by = character(), aggregates = counted,
                 keys = list(kind = "declared", weight = 1)) {
  outputs <- lapply(aggregates, function(one) list(name = one$name, value = column(one$name)))
  list(
    declaration = internal$declaration_hash(internal$source_form(internal$tbl_data(table))),
    query = list(rules = 2, steps = steps, by = by, keys = keys, aggregates = aggregates,
      outputs = outputs
    )
  )
}

quantiles <- function(name) {
  list(name = name, fun = "quantiles", of = column("x"), bounds = c(0, 100), weight = 1,
    probabilities = seq(0, 1, length.out = 40), method = "automatic"
  )
}
nested <- Reduce(function(value, i) of("+", value, column("x")), 1:12, column("x"))
doubled <- lapply(1:60, function(i) {
  list(step = "mutate", name = "x", value = of("+", column("x"), column("x")))
})
one_of <- do.call(of, c("%in%", list(column("x")), lapply(as.numeric(1:1000), literal)))
public <- list(columns = list(
  list(name = "x", type = "real", values = seq(0, 100, length.out = 4000))
))

plans <- list(
  "a filter by 1000 values" = plan(list(list(step = "filter", predicate = one_of))),
  "64 aggregates" = plan(aggregates = lapply(paste0("q", 1:64), quantiles)),
  "60 steps that double a column" = plan(doubled),
  "an expression of 12 calls" = plan(list(list(step = "mutate", name = "y", value = nested))),
  "a join with 4000 values" = plan(list(list(step = "join", how = "semi", private = "x",
    public = "x", table = public
  ))),
  "10,000 groups" = plan(by = c("g", "h")),
  "1,000,000 groups" = plan(by = c("g", "h", "i"))
)

limits <- internal$core_query_json_limits()$server
seconds <- vapply(names(plans), function(name) {
  text <- internal$core_query_to_json(plans[[name]])
  outcome <- "read"
  taken <- system.time(tryCatch(
    dp_preview(on_table(internal$query_in_json(text, limits), table), epsilon = 0.5),
    dp_error = function(error) outcome <<- class(error)[[1]]
  ))[["elapsed"]]
  cat(sprintf("%-32s %7.3f s  %7d bytes  %s\n", name, taken, nchar(text), outcome))
  taken
}, 0)
cat(sprintf("slowest: %s, %.3f s\n", names(which.max(seconds)), max(seconds)))
