#' Choose a cap, and report dropped rows
#'
#' [dp_truncate()] caps the rows of each person. `dp_suggest_caps()` releases how many rows people
#' have, before you choose a cap. `dp_n_capped()` and `dp_n_dropped()` are aggregates for
#' [summarise()][dp_verbs]: they tell readers what the last `dp_truncate()` dropped.
#'
#' @param .data (`dp_tbl`) Not grouped, before `dp_truncate()`, with `dp_unit(id = )`.
#' @param at_most (whole number) Largest cap that you would choose. Public.
#' @param shares (`numeric`) Proportions of people who keep all of their rows. Public.
#' @param up_to (whole number) Largest number of dropped rows to count per person. Public.
#' @param share (`numeric(1)`) Share of the privacy loss, relative to the other aggregates of the
#'   query. Public.
#' @param scale,accuracy (`numeric(1)`) Instead of `share`: the noise scale, or the accuracy, in the
#'   unit of the released number. Public.
#' @param epsilon,rho (`numeric(1)`) Privacy loss of the release, see [release()]. Public.
#' @param ... Not used: other names raise an error.
#' @returns `dp_suggest_caps()`: a tibble, or a data frame without package tibble, with the columns
#'   `share`, `max_rows` and `mark`. With a cap of `max_rows`, about this share of people keeps all
#'   rows. If `max_rows` equals `at_most`, the true number can be larger, and `mark` is `"bound"`.
#'   Otherwise `mark` is `""`.
#' @details
#' `dp_suggest_caps()` releases quantiles of the rows per person and charges the session, as any
#' [release()] does.
#'
#' `dp_n_capped()` counts people who lost a row in the last `dp_truncate()`. People belong to the
#' groups of the rows that they keep.
#'
#' `dp_n_dropped()` counts the rows that these people lost, at most `up_to` per person. In a grouped
#' query, it counts all dropped rows of the people in a group, whatever group the rows were in. If
#' some people lose more than `up_to` rows, the result is too small: read it as "at least".
#'
#' Three kinds of rows do not count: rows without an id, rows without a key of a cap, and rows that
#' a `filter()` removed before `dp_truncate()`.
#' @section Sensitivity: One person changes `dp_n_capped()` by 1 and `dp_n_dropped()` by `up_to`, in
#'   each of at most `max_groups` groups. With `max_rows` only, there are at most that many groups.
#' @section Errors: `dp_error_unsupported` for aggregates without an earlier `dp_truncate()`, or
#'   with a `dp_per_unit()` after it, and for a table whose unit has no `id`. `dp_suggest_caps()`
#'   raises it for a grouped or truncated table, and also all errors of [release()].
#' @template ref-dwork-roth-2014
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' visits <- data.frame(patient = rep(1:2000, 1 + (1:2000 %% 7)^2 %/% 6), urgent = TRUE)
#' table <- dp_tbl(dp_session(dp_epsilon(2)), visits,
#'   unit = dp_unit(id = patient), domain = dp_domain(urgent = dp_flag())
#' )
#' dp_suggest_caps(table, at_most = 20, epsilon = 0.2)
#' table |>
#'   dp_truncate(max_rows = 4) |>
#'   summarise(n = dp_count(), capped = dp_n_capped(), dropped = dp_n_dropped(up_to = 10)) |>
#'   release(epsilon = 0.5)
#' @name dp_caps
NULL

#' @rdname dp_caps
#' @export
dp_suggest_caps <- function(.data, at_most, shares = c(0.5, 0.75, 0.9, 0.95, 0.99),
                            epsilon = NULL, rho = NULL, ...) {
  check_names(...)
  call <- environment()
  check_table(.data, call)
  check_given("at_most", call = call)
  check_whole(at_most, min = 2, max = limit("cells"))
  shares <- check_shares(shares, call)
  check_uncapped(.data, call)
  rows <- as.name("rows")
  # The cell from n to n + 1 counts people with n rows. The last cell counts all people with more.
  edges <- seq_len(at_most + 1)
  query <- dplyr::summarise(
    dp_per_unit(.data, rows = !!quote(n())),
    rows = dp_quantile(!!rows, !!shares, at = !!edges, method = "tree")
  )
  released <- release(query, epsilon = epsilon, rho = rho)
  caps <- pmax(1, unlist(released$rows))
  table <- data.frame(
    share = shares, max_rows = as.integer(caps), mark = ifelse(caps >= at_most, "bound", "")
  )
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}

check_shares <- function(shares, call) {
  is_share <- is.numeric(shares) && length(shares) > 0 && !anyNA(shares)
  if (!is_share || any(shares <= 0 | shares >= 1)) {
    stop_argument("shares above 0 and below 1", "others", "shares", call)
  }
  as.double(shares)
}

check_uncapped <- function(x, call) {
  parts <- tbl_data(x)
  if (parts$unit$kind != "id") {
    stop_query("unsupported", "The unit of this table has no id.",
      "Name the id column with `dp_unit(id = )`.", call
    )
  }
  if (length(parts$groups) > 0) {
    stop_query("unsupported", "`dp_suggest_caps()` needs an ungrouped table.",
      "Use `ungroup()` first.", call
    )
  }
  is_capped <- vapply(parts$steps, function(step) step$step %in% c("truncate", "per_unit"), NA)
  if (any(is_capped)) {
    stop_query("unsupported", "The rows of a person already have a cap.",
      "Call `dp_suggest_caps()` before `dp_truncate()` and `dp_per_unit()`.", call
    )
  }
}

#' @rdname dp_caps
#' @export
dp_n_capped <- function(share = 1, scale = NULL, accuracy = NULL) stop_outside("dp_n_capped")

#' @rdname dp_caps
#' @export
dp_n_dropped <- function(up_to, share = 1, scale = NULL, accuracy = NULL) {
  stop_outside("dp_n_dropped")
}
