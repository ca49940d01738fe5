# Fails if a file of R/ uses a function or a constant of a higher layer, as tools/check-layers.sh
# does with the core: the framework does not use statistics, and neither uses queries.
#
# A file's layer follows from its name; `aaa-` only says what loads first. Within a layer, files may
# use each other. Names that a file binds itself, as arguments or locals, do not count.

layers <- list(
  framework = "",
  budgets = "^(budget|ledger|receipt|release[.-])",
  statistics = "^(aaa-)?statistic",
  queries = "^query-"
)

# Builds statistics anew from their plans, for all that reads plans.
bridges <- "R/plan-statistic.R"

layer_of <- function(file) max(which(vapply(layers, grepl, NA, basename(file))))

is_definition <- function(code) {
  is.call(code) && is.name(code[[1]]) && as.character(code[[1]]) == "<-" && is.name(code[[2]])
}

defined_in <- function(file) {
  definitions <- Filter(is_definition, as.list(parse(file)))
  unlist(lapply(definitions, function(code) as.character(code[[2]])))
}

# What the code looks up outside of itself. findGlobals() wants a function.
used_in <- function(file) {
  all <- eval(call("function", NULL, as.call(c(quote(`{`), as.list(parse(file))))), baseenv())
  codetools::findGlobals(all)
}

files <- list.files("R", pattern = "[.]R$", full.names = TRUE)
files <- setdiff(files, "R/RcppExports.R")
defined <- lapply(stats::setNames(nm = files), defined_in)
home <- stats::setNames(rep(files, lengths(defined)), unlist(defined))
bad <- unlist(lapply(setdiff(files, bridges), function(file) {
  used <- intersect(used_in(file), names(home))
  above <- Filter(function(name) layer_of(home[[name]]) > layer_of(file), used)
  if (length(above)) sprintf("%s uses %s of %s", file, above, home[above])
}))
if (length(home) < 500 || length(unique(vapply(files, layer_of, 1L))) < 2) {
  stop("the files of R/ were not found.")
}
writeLines(as.character(bad))
quit(status = length(bad) > 0)
