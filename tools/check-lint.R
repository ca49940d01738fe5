# Fails if lintr, with the settings of .lintr, finds anything in R code, or if R/ defines a name
# twice or has a function with too many branches. What a name refers to is left to R CMD check,
# which knows the whole package.
folders <- c("R", "tests", "tools", "demo", "data-raw", "benchmarks", "vignettes")
files <- list.files(
  Filter(dir.exists, folders), "[.](R|Rmd)$",
  recursive = TRUE, full.names = TRUE
)
# The first is generated; the second shows a published script as it was published.
files <- setdiff(files, c("R/RcppExports.R", "vignettes/dp-sampleandaggregate.Rmd"))
# What was free of lint once, and is the same, is not read again. To remember it takes a third of
# the time, in vain on a machine that is new each time. There, lint() sees the files alone of which
# a linter says anything: its own work for each file takes a fifth of the time.
suspects <- files
cache <- file.path(Sys.getenv("PSILENCE_BUILD", "build"), "lint")
if (nzchar(Sys.getenv("CI"))) {
  cache <- FALSE
  linters <- eval(parse(text = read.dcf(".lintr")[, "linters"]), asNamespace("lintr"))
  suspects <- Filter(function(file) {
    found <- lintr::get_source_expressions(file)
    !is.null(found$error) || any(vapply(found$expressions, function(expression) {
      any(lengths(lapply(linters, function(linter) linter(expression))) > 0)
    }, NA))
  }, files)
}
lints <- unlist(lapply(suspects, lintr::lint, cache = cache), recursive = FALSE)
invisible(lapply(lints, print))

# lintr's own linter of tabs takes a quarter of the time of all of them.
tabbed <- Filter(function(file) any(startsWith(readLines(file), "\t")), files)
if (length(tabbed)) message("indented by tabs: ", toString(tabbed))

# Files share one namespace: of two definitions of a name, the one that is read last would hold.
is_definition <- function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && is.symbol(e[[2]])
definitions <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  Filter(is_definition, as.list(parse(file, keep.source = FALSE)))
}))
defined <- vapply(definitions, function(e) as.character(e[[2]]), "")
twice <- unique(defined[duplicated(defined)])
if (length(twice)) message("defined twice in R/: ", toString(twice))

# Cyclomatic complexity: the branches, and one. To lintr, counting it is two thirds of all work.
most_branches <- 15
branching <- c("if", "for", "while", "repeat", "&&", "||")
branches_of <- function(e) {
  if (!is.call(e) && !is.pairlist(e)) {
    return(0)
  }
  own <- is.call(e) && is.symbol(e[[1]]) && as.character(e[[1]]) %in% branching
  own + sum(vapply(as.list(e), function(part) if (missing(part)) 0 else branches_of(part), 0))
}
tangled <- defined[1 + vapply(definitions, branches_of, 0) > most_branches]
if (length(tangled)) message("too many branches: ", toString(tangled))
quit(status = if (length(c(lints, tabbed, twice, tangled))) 1 else 0)
