# Loss by construction, at length: of random statistics of every kind, what is reported is the map
# of the measurement that runs, its parts fit in, and a filter of exactly that budget accepts it.
# Nothing is compared with a tolerance. Tests the package installed in the build folder's library:
#
#   . tools/env.sh && Rscript --vanilla tools/check-losses.R [count]       1e5 by default
#
# Each hundredth statistic goes through a filter, which releases. Fails if there is a mistake.
count <- as.double(c(commandArgs(TRUE), "1e5")[[1]])
suppressPackageStartupMessages(library(PSIlence))
helpers <- new.env(parent = asNamespace("PSIlence"))
for (name in c("helper-statistic.R", "helper-random-plans.R")) {
  sys.source(file.path("tests", "testthat", name), helpers)
}
set.seed(1)

check <- function(i) {
  names <- names(helpers$random_arguments)
  drawn <- helpers$random_statistic(names[[1 + i %% length(names)]])
  if (is.null(drawn)) {
    return(NULL)
  }
  mistakes <- helpers$loss_mistakes(drawn$statistic, drawn$asked)
  if (i %% 101 == 0 && !helpers$is_budget_of(drawn$statistic)) {
    mistakes <- c(mistakes, "a filter of that budget does not accept it")
  }
  data.frame(kind = class(drawn$statistic)[[1]], mistakes = length(mistakes))
}

enable_features("contrib", "honest-but-curious")
found <- list()
tried <- 0
while (length(found) < count) {
  tried <- tried + 1
  found[[length(found) + 1]] <- check(tried)
}
found <- do.call(rbind, found)
count_of <- function(x) c(statistics = length(x), wrong = sum(x))
print(stats::aggregate(mistakes ~ kind, found, count_of))
cat(nrow(found), "statistics,", sum(found$mistakes), "mistakes\n")
quit(status = if (sum(found$mistakes) == 0) 0 else 1)
