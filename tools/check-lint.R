# Fails if lintr, with the settings of .lintr, finds anything in R code. What a name refers to is
# left to R CMD check, which knows the whole package.
folders <- c("R", "tests", "tools", "demo", "data-raw", "benchmarks", "vignettes")
files <- list.files(
  Filter(dir.exists, folders), "[.](R|Rmd)$",
  recursive = TRUE, full.names = TRUE
)
# The first is generated; the second shows a published script as it was published.
files <- setdiff(files, c("R/RcppExports.R", "vignettes/dp-sampleandaggregate.Rmd"))
lints <- unlist(lapply(files, lintr::lint), recursive = FALSE)
invisible(lapply(lints, print))
quit(status = if (length(lints)) 1 else 0)
