# Generics that would show the fitted rows raise an error.

# nolint start: object_name_linter.
# `first` is the name that the generic gives to its first argument.
refuse_rows <- function(what, first = "object") {
  force(what)
  refuse <- function(object, ...) {
    stop_dp("{what} would show the fitted rows, which are private.",
      "unsupported", call = NULL
    )
  }
  names(formals(refuse))[[1]] <- first
  refuse
}

#' @rdname statistic_models
#' @export
residuals.dp_result <- refuse_rows("Residuals")

#' @rdname statistic_models
#' @export
fitted.dp_result <- refuse_rows("Fitted values")

#' @rdname statistic_models
#' @export
deviance.dp_result <- refuse_rows("The deviance")

#' @rdname statistic_models
#' @export
logLik.dp_result <- refuse_rows("The likelihood")

#' @rdname statistic_models
#' @export
model.frame.dp_result <- refuse_rows("A model frame", "formula")

#' @rdname statistic_models
#' @export
model.matrix.dp_result <- refuse_rows("A model matrix")
# nolint end
