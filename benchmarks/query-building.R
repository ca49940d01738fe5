# Question: how does the time of building a query grow with the number of its aggregates?
#
#   Rscript benchmarks/query-building.R
#
# Means of 100, 400 and 842 columns of 200 rows: summarise(), dp_preview(), release() and print().
# Linear growth is 8.4 times from 100 to 842 aggregates, quadratic growth 71 times.
#
# Seconds on the machine of README.md, other work beside it:
#
#   | aggregates | before: summarise, preview, release, print | now |
#   |---|---|---|
#   | 100 | 0.07, 0.14, 0.15, 0.21 | 0.10, 0.02, 0.06, 0.01 |
#   | 400 | 0.28, 5.0, 5.2, 2.6 | 0.12, 0.05, 0.19, 0.02 |
#   | 842 | 3.5, 71, 84, 27 | 0.16, 0.20, 0.51, 0.03 |
library(PSIlence)
suppressPackageStartupMessages(library(dplyr, warn.conflicts = FALSE))

table_of <- function(columns) {
  data <- as.data.frame(matrix(runif(200 * columns), 200))
  domain <- do.call(dp_domain, stats::setNames(rep(list(dp_num(0, 1)), columns), names(data)))
  dp_tbl(dp_session(dp_zcdp(1e6)), data, dp_unit(rows = 1), domain)
}

seconds <- function(expr) system.time(expr)[["elapsed"]]

for (columns in c(100, 400, 842)) {
  table <- table_of(columns)
  building <- seconds(query <- summarise(table, across(everything(), dp_mean)))
  preview <- seconds(dp_preview(query, rho = 1))
  releasing <- seconds(release(query, rho = 1))
  printing <- seconds(format(query))
  cat(sprintf("%d aggregates: summarise %.2f s, preview %.2f s, release %.2f s, print %.2f s\n",
    columns, building, preview, releasing, printing
  ))
}
