# Writes RcppExports, NAMESPACE and man into the package at a path.
#
#   Rscript tools/generate.R path
path <- commandArgs(TRUE)

# Documenting takes the R code and the data, not the compiled core, so the code is only read. R6
# classes are documented through their source references.
load_code <- function(path) {
  imports <- gsub("[(][^)]*[)]", "", read.dcf(file.path(path, "DESCRIPTION"), "Imports"))
  imports <- strsplit(trimws(imports), "[\\s,]+", perl = TRUE)
  suppressPackageStartupMessages(lapply(imports[[1]], library, character.only = TRUE))
  env <- new.env(parent = globalenv())
  methods::setPackageName("PSIlence", env)
  code <- list.files(file.path(path, "R"), "[.]R$", full.names = TRUE)
  for (file in sort(code, method = "radix")) sys.source(file, env, keep.source = TRUE)
  sys.source("tools/statistic-tables.R", env)
  for (file in list.files(file.path(path, "data"), "[.]rda$", full.names = TRUE)) load(file, env)
  env
}

Rcpp::compileAttributes(path)
# Turns warnings and messages of roxygen2 into errors: it would go on and leave a section out.
withCallingHandlers(
  roxygen2::roxygenise(path, load_code = load_code),
  warning = function(said) stop(conditionMessage(said), call. = FALSE),
  message = function(said) {
    if (grepl("Warning:", conditionMessage(said))) stop(conditionMessage(said), call. = FALSE)
  }
)
