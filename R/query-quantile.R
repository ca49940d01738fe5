#' Private quantiles
#'
#' Use `dp_quantile()` and `dp_median()` inside [summarise()][dp_verbs] of a [dp_tbl()], like the
#' other [dp_aggregates]. The quantiles of dates are dates.
#'
#' @inheritParams dp_aggregates
#' @param probs (`numeric`) Probabilities of the quantiles, from 0 to 1. Public.
#' @param at (`numeric`) At most a million increasing values. `method = "score"` selects among them.
#'   `"tree"` interpolates between them, so its quantiles need not be in `at`. A column without
#'   bounds needs only `at`. `NULL` takes all whole numbers within the bounds if they are
#'   few, otherwise equally spaced values. With `method = "score"` it adds the numbers with two
#'   digits in the eight decades below the largest magnitude. Public.
#' @param method (`character(1)`) Method for quantiles. `"tree"` computes all quantiles from one
#'   tree of counts, with intervals. `"score"` selects them one by one: each row counts at its
#'   nearest value of `at`. [dp_preview()] shows the rank error of `"score"`. `"auto"` is `"tree"`
#'   for three or more quantiles.
#' @returns The result of `summarise()`, a `dp_query` for [release()].
#' @section Errors: `dp_error_domain` for levels and texts, and for columns without bounds if `at`
#'   is `NULL`. Otherwise as in [dp_aggregates].
#' @seealso [dpQuantile()] and [dpQuantiles()] for one column of a data frame.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' dp_tbl(dp_session(dp_zcdp(0.5)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(age = dp_int(18, 93))
#' ) |>
#'   summarise(quartiles = dp_quantile(age, c(0.25, 0.5, 0.75))) |>
#'   release(rho = 0.05)
#' @export
dp_quantile <- function(x, probs = 0.5, at = NULL, bounds = NULL, share = 1,
                        method = c("auto", "tree", "score"), weights = NULL,
                        weight = NULL) {
  stop_outside("dp_quantile")
}

#' @rdname dp_quantile
#' @export
dp_median <- function(x, at = NULL, bounds = NULL, share = 1,
                      method = c("auto", "tree", "score"), weights = NULL,
                      weight = NULL) {
  stop_outside("dp_median")
}
