# Fails if lintr, with the settings of .lintr, finds anything in R code, or if R/ defines a name
# twice. What a name refers to is left to R CMD check, which knows the whole package.
folders <- c("R", "tests", "tools", "demo", "data-raw", "benchmarks", "vignettes")
files <- list.files(
  Filter(dir.exists, folders), "[.](R|Rmd)$",
  recursive = TRUE, full.names = TRUE
)
# The first is generated; the second shows a published script as it was published.
files <- setdiff(files, c("R/RcppExports.R", "vignettes/dp-sampleandaggregate.Rmd"))
# What was free of lint once, and is the same, is not read again.
cache <- file.path(Sys.getenv("PSILENCE_BUILD", "build"), "lint")
lints <- unlist(lapply(files, lintr::lint, cache = cache), recursive = FALSE)
invisible(lapply(lints, print))

# Files share one namespace: of two definitions of a name, the one that is read last would hold.
defined <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  is_definition <- function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && is.symbol(e[[2]])
  vapply(Filter(is_definition, as.list(parse(file))), function(e) as.character(e[[2]]), "")
}))
twice <- unique(defined[duplicated(defined)])
if (length(twice)) message("defined twice in R/: ", toString(twice))
quit(status = if (length(lints) || length(twice)) 1 else 0)
