#' PSIlence: differentially private statistics, sound on real machines
#'
#' @description
#' Two layers over one C++ core.
#'
#' *Statistics* are plans that an analyst can name: [dpMean()], [dpSampleAndAggregate()]. Building
#' one checks its public parameters and derives its noise; `$release(data)` reads the data and
#' spends the budget.
#'
#' The *framework* has domains ([vector_domain()]), metrics ([symmetric_distance()]),
#' transformations ([make_sum()]) and measurements ([make_laplace()]), which chain with `|>`. Called
#' with `arg =`, such an object computes; called with `d_in =`, it says how far its output can move,
#' or what privacy it costs, when its input moves by `d_in`. Start with
#' `vignette("aggregation-sum", "PSIlence")`.
#'
#' @section What is public:
#' Everything but the rows: bounds, sizes, categories, parameters, and this package's source. A
#' public parameter computed from the private rows gives them away, and no package can see that.
#'
#' @section Randomness:
#' Noise comes from the operating system's secure generator. `set.seed()` has no effect on it, and
#' R's own generators are not disturbed.
#'
#' @useDynLib PSIlence, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @keywords internal
"_PACKAGE"
