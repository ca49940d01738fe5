# Without NOT_CRAN, as on CRAN's machines, runs a quick subset of the files. Otherwise all files.
library(testthat)
library(PSIlence)

everything <- isTRUE(as.logical(Sys.getenv("NOT_CRAN", "false")))
quick <- paste0("^(", paste(readLines("testthat/quick-tests.txt"), collapse = "|"), ")$")
test_check("PSIlence", filter = if (!everything) quick)
