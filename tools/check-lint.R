# Fails if lintr, with the settings of .lintr, finds anything in R code.
folders <- c("R", "tests", "tools", "demo", "data-raw", "benchmarks", "vignettes")
files <- list.files(Filter(dir.exists, folders), "[.](R|Rmd)$", recursive = TRUE, full.names = TRUE)
files <- setdiff(files, "R/RcppExports.R")
lints <- unlist(lapply(files, lintr::lint), recursive = FALSE)
invisible(lapply(lints, print))
quit(status = if (length(lints)) 1 else 0)
