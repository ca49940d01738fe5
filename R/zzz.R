#' PSIlence: differentially private statistics, sound on real machines
#'
#' Start with [dpMean()] and [dpSampleAndAggregate()] for ready-made statistics, or with
#' [framework_objects] for the framework that they are made of.
#'
#' @section Options:
#' * `PSIlence.threads`: how many threads a pass over data may use. Read when the package is loaded;
#'   [set_threads()] changes it later. Default: all cores, at most 2 under `R CMD check`.
#' * `opendp_features`: the enabled features, see [enable_features()].
#'
#' @useDynLib PSIlence, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom rlang %||%
"_PACKAGE"

.onLoad <- function(libname, pkgname) {
  core_listen_to_interrupts()
  set_threads(getOption("PSIlence.threads", default_threads()))
}

.onUnload <- function(libpath) {
  library.dynam.unload("PSIlence", libpath)
}
