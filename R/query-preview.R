#' Preview the noise and accuracy of a query
#'
#' `dp_preview()` shows the noise and the accuracy of a query for a given loss. `dp_solve()` finds
#' the loss for a given accuracy. Both use only public facts: they read no data and spend nothing.
#'
#' @param query A query ([dp_aggregates]). `dp_preview()` also takes a batch ([dp_batch()]).
#' @param epsilon,rho (`numeric`) Losses, in the privacy measure of the session. The preview shows
#'   all of them. Public.
#' @param delta (`numeric(1)`) See [dp_keys()]. Public.
#' @param accuracy (named `numeric`) Accuracy that you want for columns of the result, in their
#'   units. Public.
#' @param alpha (`numeric(1)`) Probability that an error exceeds the accuracy. Public.
#' @param rows (whole numbers) Guesses of the number of rows in a group. The preview then shows the
#'   expected error of each column in such a group. Public.
#' @param guess (`list`) For a query of [dp_lm()]: a guess of `n`, the number of rows in a group.
#'   You can add guesses of `mean` and `sd`, numbers named by columns. Without them, values are
#'   spread evenly over the bounds, and rows over the levels. Variables are independent. The preview
#'   then shows the expected standard error of each coefficient, and `dp_solve()` takes `accuracy`
#'   named by coefficients, such as `c(age = 0.1)`. Public.
#' @param ... Not used.
#' @returns `dp_solve()` returns a `dp_loss`. `dp_preview()` returns a data frame of class
#'   `dp_preview`, with a row for each noisy number of a group:
#'
#'   * `query`: only for a batch, the name of the query.
#'   * `column`, `aggregate` and its `part`, and `mechanism`.
#'   * `scale` of the noise and `sensitivity`, in the unit of the column.
#'   * `accuracy`: with probability `1 - alpha`, the error is at most this. For a quantile by
#'     `method = "score"`, this is the rank error in rows, compared with the best candidate in `at`.
#'   * `threshold` of private keys.
#'   * `share` of the loss, and the loss itself (`epsilon` or `rho`, and `delta`).
#'
#'   For several losses, the first column is the loss of the release.
#'
#'   With `rows`, the data frame has a row for each number of a group: `column`, `number` (the
#'   column, with the probability for several quantiles), `rows`, `accuracy` in the unit of the
#'   column, and `mark`, see [dp_released]. It assumes a group whose values are spread evenly over
#'   the bounds.
#'
#'   For [dp_tables()], it has a row for each table: `table`, `cells`, and the standard error
#'   `std.error` and the `accuracy` of a cell. With `rows`, a guess of the number of rows in the
#'   data, it also has `rows`, and `relative`: the accuracy divided by the mean of a cell.
#'   `dp_solve()` takes `accuracy` named by tables.
#'
#'   With `guess`, it has a row for each coefficient: `term`, `n`, its expected standard error
#'   `std.error`, the standard error without noise, `classical`, and `accuracy`, half of the
#'   expected interval. `dp_solve()` finds the loss to within a thousandth.
#' @section Errors: The classes of [release()], except `dp_error_budget`. `dp_error_search` if no
#'   loss reaches the accuracy.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' blank <- dp_tbl(dp_session(dp_zcdp(1)), NULL,
#'   unit = dp_unit(id = person),
#'   domain = dp_domain(region = dp_levels("North", "South"), age = dp_int(0, 120))
#' )
#' query <- blank |>
#'   dp_truncate(max_rows = 2) |>
#'   group_by(region) |>
#'   summarise(n = dp_count(), age = dp_mean(age))
#' dp_preview(query, rho = 0.1)
#' dp_preview(query, rho = c(0.01, 0.1, 1))
#' dp_preview(query, rho = 0.1, rows = c(20, 500))
#' dp_solve(query, accuracy = c(n = 20))
#'
#' model <- blank |>
#'   dp_truncate(max_rows = 1) |>
#'   dp_lm(age ~ region)
#' dp_preview(model, rho = 0.1, guess = list(n = 5000, sd = c(age = 20)))
#' dp_solve(model, accuracy = c(regionSouth = 2), guess = list(n = 5000, sd = c(age = 20)))
#' @export
dp_preview <- function(query, ..., epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05,
                       rows = NULL, guess = NULL) {
  call <- environment()
  check_names(...)
  is_batch <- inherits(query, "dp_batch")
  if (!is_batch) check_query(query, call)
  check_probability(alpha)
  if (!is.null(rows)) rows <- check_group_size(rows, call)
  if (!is.null(guess)) guess <- check_guess(guess, query, call)
  session <- if (is_batch) query$session else session_of(query)
  losses <- losses_to_preview(session, epsilon, rho, delta, call)
  previews <- lapply(losses, function(loss) {
    preview <- if (!is.null(guess)) {
      expected_coefficients(query, loss, alpha, guess, call)
    } else if (is_batch) {
      members <- batch_with_cost(query, loss, alpha, call)$members
      previews <- lapply(members, function(member) {
        previewed(as_numbers(member$query), member$asked, alpha, rows, call)
      })
      of_members <- do.call(rbind, unname(previews))
      cbind(query = rep(names(members), vapply(previews, nrow, 1L)), of_members)
    } else {
      previewed(query, loss, alpha, rows, call)
    }
    if (length(losses) > 1) {
      preview <- cbind(as_columns(unclass(loss)[1]), preview)
    }
    preview
  })
  structure(do.call(rbind, previews),
    loss = if (length(losses) == 1) losses[[1]], alpha = alpha,
    class = c("dp_preview", "data.frame")
  )
}

# A batch shows the measured numbers of all its queries in one table.
as_numbers <- function(query) {
  structure(query, class = setdiff(class(query), "dp_tables_query"))
}

previewed <- function(query, loss, alpha, rows, call) {
  if (inherits(query, "dp_tables_query")) {
    return(expected_tables(query, loss, alpha, rows, call))
  }
  if (is.null(rows)) {
    preview <- as_columns(compiled_query(query, loss, alpha, call)$preview)
    return(named_as_released(preview, query))
  }
  columns <- c("column", "number", "rows", "accuracy", "mark")
  expected_of_query(query, loss, alpha, rows, call)[columns]
}

# An aggregate inside an expression has an internal name. Its rows get the name of the column that
# shows it, or of the first column that uses it. In the second case, `part` describes the aggregate.
named_as_released <- function(preview, query) {
  names <- names_of_outputs(query)
  used <- lapply(query$outputs, function(output) columns_in(output$value))
  shows <- vapply(query$outputs, function(output) output$value$op == "column", NA)
  for (name in setdiff(preview$column, names)) {
    uses <- vapply(used, function(columns) name %in% columns, NA)
    rows <- preview$column == name
    if (any(uses & shows)) {
      preview$column[rows] <- names[uses & shows][[1]]
    } else if (any(uses)) {
      preview$column[rows] <- names[uses][[1]]
      described <- describe_aggregate(query$aggregates[[name]])
      preview$part[rows] <- paste(preview$part[rows], "of", described)
    }
  }
  preview
}

losses_to_preview <- function(session, epsilon, rho, delta, call) {
  amounts <- epsilon %||% rho
  each <- function(amount) {
    asked_loss(session, if (!is.null(epsilon)) amount, if (!is.null(rho)) amount, delta, call)
  }
  if (length(amounts) < 2) {
    return(list(each(amounts)))
  }
  if (!is.numeric(amounts)) {
    stop_argument("numbers", describe(amounts), if (is.null(rho)) "epsilon" else "rho", call)
  }
  lapply(amounts, each)
}

as_columns <- function(columns) {
  data.frame(lapply(columns, unlist), check.names = FALSE, stringsAsFactors = FALSE)
}

check_query <- function(query, call) {
  if (inherits(query, "dp_tbl")) {
    stop_query("unsupported", "This table is not a query.",
      "Call `summarise()` or `count()` first.", call
    )
  }
  if (inherits(query, c("dp_written_query", "dp_written_batch"))) {
    stop_query("source", "This query has no table.",
      "Bind it to a table with `on_table(query, table)`.", call
    )
  }
  if (!inherits(query, "dp_query")) stop_argument("a dp_query", describe(query), "query", call)
}

session_of <- function(query) tbl_data(query$table)$session

unit_of <- function(query) tbl_data(query$table)$unit

#' @export
format.dp_preview <- function(x, ...) {
  loss <- attr(x, "loss")
  about <- if (!is.null(loss)) paste0("A release for ", format(loss), " would be:")
  table <- structure(x, class = "data.frame")
  if ("term" %in% names(table)) {
    return(c(about, show_table(table, 5, 40), paste0("  accuracy: with probability ",
      1 - (attr(x, "alpha") %||% 0.05), " a coefficient is at most this far off, for rows like ",
      "the guess"
    )))
  }
  if ("table" %in% names(table)) {
    return(c(about, show_table(table, 5, 40), paste0("  accuracy: with probability ",
      1 - (attr(x, "alpha") %||% 0.05), " the error of a cell is at most this"
    )))
  }
  for_rows <- "rows" %in% names(table)
  quantiles <- any(table$aggregate == "quantiles")
  c(about, show_table(table, 5, 40), paste0(
    "  accuracy: with probability ", 1 - (attr(x, "alpha") %||% 0.05),
    " the error of a group ", if (for_rows) "of this size ", "is at most this"
  ), if (quantiles) "  accuracy of quantiles: rank error, in rows")
}

#' @export
print.dp_preview <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# The measurement of a query, with its public facts. The core gets doubles that do not exceed the
# decimals of the loss.
compiled_query <- function(query, loss, alpha, call) {
  check_delta_for_keys(query, loss$delta, call)
  if (inherits(query, "dp_tables_query")) check_currency_of_tables(measure_name(loss), call)
  from_core_of(query,
    core_query_compile(form_of_query(query), within_asked(loss), alpha), call, hints_for(query)
  )
}
