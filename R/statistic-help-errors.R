#' Errors of statistics
#'
#' A statistic checks its arguments when you build it, and the columns of `data` before it reads any
#' value. So neither the class nor the message of an error depends on private values.
#'
#' * `dp_error_invalid_argument`: for invalid arguments, before any data are read, and for
#'   unsuitable `data`, before any value is read.
#' * `dp_error_rows`: if the number of rows differs from `n`.
#' * `dp_error_make_domain`, `dp_error_make_transformation`, `dp_error_search`: for ranges or losses
#'   that the arithmetic cannot represent.
#' * `dp_error_stale_object`: if another version of the package saved the object, and its release
#'   cost less there.
#'
#' The message about `data` names the kind of column, such as a factor or a Date, and depends on
#' nothing else. The message about rows contains neither number.
#' @examples
#' mean_age <- dpMean("age", n = 5, rng = c(18, 93), epsilon = 1)
#' try(mean_age$release(data.frame(age = c("23", "45", "31", "60", "52"))))
#' try(mean_age$release(data.frame(age = c(23, 45))))
#' @seealso [dp_errors] for all classes
#' @name statistic_errors
NULL
