# Writes RcppExports, NAMESPACE and man into the package at a path.
#
#   Rscript tools/generate.R path
#
# Documenting takes the R code and the data, not the compiled core.
path <- commandArgs(TRUE)
# R6 classes are read through their source references.
options(keep.source = TRUE)

# Loading the code takes the imports that the code itself declares, so they are written first.
load_code <- function(path) {
  blocks <- roxygen2::parse_package(path, env = NULL)
  roxygen2::roclet_preprocess(roxygen2::namespace_roclet(), blocks, path)
  # It warns that there is no compiled code.
  suppressWarnings(
    pkgload::load_all(path, compile = FALSE, helpers = FALSE, attach_testthat = FALSE)$env
  )
}

Rcpp::compileAttributes(path)
roxygen2::roxygenise(path, load_code = load_code)
