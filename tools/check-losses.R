# Loss by construction, at length: of random statistics of every kind, what is reported is the map
# of the measurement that runs, its parts fit in, and a filter of exactly that budget accepts it.
# Nothing is compared with a tolerance. Tests the package installed in the build folder's library:
#
#   . tools/env.sh && Rscript --vanilla tools/check-losses.R [count [from]]   1e5 from 1 by default
#
# Each number from `from` on stands for a statistic, always the same, so that processes with other
# numbers share the work, and what is found can be looked at again: a count of 1 from that number.
# Each hundredth statistic goes through a filter, which releases. Says how far it has come, and
# fails if there is a mistake.
arguments <- as.double(commandArgs(TRUE))
count <- c(arguments, 1e5)[[1]]
from <- c(arguments[-1], 1)[[1]]
suppressPackageStartupMessages(library(PSIlence))
helpers <- new.env(parent = asNamespace("PSIlence"))
for (name in c("helper-statistic.R", "helper-random-plans.R")) {
  sys.source(file.path("tests", "testthat", name), helpers)
}
kinds <- names(helpers$random_arguments)

# The mistakes of statistic number i, or NULL if there is none of that number.
check <- function(i, kind) {
  set.seed(i)
  drawn <- helpers$random_statistic(kind)
  if (is.null(drawn)) {
    return(NULL)
  }
  refused <- i %% 101 == 0 && !helpers$is_budget_of(drawn$statistic)
  c(
    helpers$loss_mistakes(drawn$statistic, drawn$asked),
    if (refused) "a filter of that budget does not accept it", character()
  )
}

enable_features("contrib", "honest-but-curious")
found <- matrix(0, length(kinds), 2, dimnames = list(kinds, c("statistics", "mistakes")))
i <- from
while (sum(found[, "statistics"]) < count) {
  kind <- kinds[[1 + i %% length(kinds)]]
  mistakes <- tryCatch(check(i, kind), error = function(error) {
    paste("stopped:", conditionMessage(error))
  })
  if (!is.null(mistakes)) {
    found[kind, ] <- found[kind, ] + c(1, length(mistakes))
    if (length(mistakes) > 0) cat("number ", i, ", ", kind, ": ", mistakes, "\n", sep = "")
  }
  if ((i - from + 1) %% 5000 == 0) cat("up to number", i, "\n")
  i <- i + 1
}
print(found)
total <- colSums(found)
cat(total[["statistics"]], "statistics, of numbers", from, "to", i - 1, "with", total[["mistakes"]],
  "mistakes\n")
quit(status = if (total[["mistakes"]] == 0) 0 else 1)
