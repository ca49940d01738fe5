# Finds the budget for an accuracy.

#' @rdname dp_preview
#' @export
dp_solve <- function(query, accuracy, alpha = 0.05, delta = NULL, guess = NULL, ...) {
  check_names(...)
  call <- environment()
  check_query(query, call)
  check_probability(alpha)
  if (!is.null(guess)) guess <- check_guess(guess, query, call)
  of_tables <- inherits(query, "dp_tables_query")
  columns <- if (of_tables) {
    names(tables_of_query(query))
  } else if (is.null(guess)) {
    names_of_outputs(query)
  } else {
    coefficients_of_model(query$model)
  }
  if (!is.numeric(accuracy) || length(accuracy) == 0 || !all(names(accuracy) %in% columns) ||
    is.null(names(accuracy)) || anyNA(accuracy) || any(accuracy <= 0)) {
    stop_argument("numbers above 0, named by columns of the result", "others", "accuracy", call)
  }
  session <- session_of(query)
  check_delta_for_keys(query, delta %||% 0, call)
  if (!is.null(guess)) {
    return(solve_coefficients(query, accuracy, alpha, check_delta(delta %||% 0), guess, call))
  }
  if (of_tables) {
    return(solve_tables(query, accuracy, alpha, check_delta(delta %||% 0), call))
  }
  measure <- unclass(new_loss(measure_name(session$loss), 1, check_delta(delta %||% 0)))
  accuracy <- stats::setNames(as.double(accuracy), names(accuracy))
  solved <- from_core_of(query,
    core_query_solve(form_of_query(query), measure, accuracy, alpha), call, hints_for(query)
  )$loss
  new_loss(measure_name(session$loss), signif_up(solved[[1]]), solved$delta %||% 0)
}

# Rounds up to twelve digits, so that asking for the printed loss yields the accuracy.
signif_up <- function(x) {
  unit <- 10^(floor(log10(x)) - 11)
  (floor(x / unit) + 1) * unit
}
