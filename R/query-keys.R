#' Choose the groups that a query releases
#'
#' The set of groups can be private: a ward with one patient reveals that patient. `dp_keys()`
#' declares the groups, or selects them privately.
#'
#' @param .data (`dp_tbl` or `dp_query`) Grouped, or after `summarise()`.
#' @param keys One of:
#'   * a public data frame with a column for each grouping column. Each row is a group, and every
#'     group is released, even if the data have no such row.
#'   * `"declared"`, the default: all combinations of declared levels, of logicals, and of whole
#'     numbers and dates with bounds.
#'   * `"threshold"`: groups whose noisy count exceeds a threshold.
#'   * `"select"`: groups kept by optimal partition selection on their number of people.
#' @param share (`numeric(1)`) Share of the privacy loss for `"threshold"`, `"select"` or
#'   `suppress`, relative to the aggregates of the query. Public.
#' @param suppress (whole number) With a data frame or `"declared"`: leave out groups whose noisy
#'   number of people is below this number. If the unit has no `id`, rows count instead of people.
#'   If the query has no such count, one is added and takes `share`. The other aggregates are
#'   measured in the remaining groups. `NULL` keeps all groups. Public.
#' @param weight Former name of `share`. It warns.
#' @param ... Not used: other names raise an error.
#' @returns `.data` with these keys.
#' @section Privacy: `"threshold"` and `"select"` keep a group with only one person with probability
#'   at most `delta`. Give this `delta` to [release()]. The other aggregates are measured in the
#'   kept groups, and the losses add up.
#'
#'   `suppress` is postprocessing of a noisy count, so it needs no delta and gives no extra
#'   protection. It removes groups that are mostly noise. The counts of the remaining groups are
#'   biased upwards.
#' @section Errors: `dp_error_keys` for a table without groups, for keys that lack a grouping
#'   column, for `"threshold"` or `"select"` in a session without a delta, and for either of them
#'   with `suppress`.
#' @section Warnings: `dp_warning_deprecated` for `weight`.
#' @template ref-korolova-2009
#' @template ref-desfontaines-2022
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_zcdp(0.5, delta = 1e-7)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(educ = dp_int())
#' )
#' people |>
#'   count(educ) |>
#'   dp_keys(data.frame(educ = 9:16)) |>
#'   release(rho = 0.1)
#' people |>
#'   count(educ) |>
#'   dp_keys(data.frame(educ = 1:16), suppress = 100) |>
#'   release(rho = 0.1)
#' people |>
#'   count(educ) |>
#'   dp_keys("threshold") |>
#'   release(rho = 0.1, delta = 1e-8)
#' @export
dp_keys <- function(.data, keys = "declared", share = 1, suppress = NULL, weight = NULL, ...) {
  check_names(..., hints = c(min = suppress_hint, min_count = suppress_hint))
  call <- environment()
  is_query <- inherits(.data, "dp_query")
  if (!is_query && !inherits(.data, "dp_tbl")) {
    stop_argument("a dp_tbl or a dp_query", describe(.data), ".data", call)
  }
  if (!is.null(weight)) share <- share_from_weight(weight, missing(share), quote(dp_keys()))
  check_number(share, above = 0)
  check_whole(suppress, min = 1, max = .Machine$integer.max, null = TRUE)
  by <- if (is_query) .data$by else tbl_data(.data)$groups
  if (length(by) == 0) {
    stop_query("keys", "This query has no groups.", "Call `group_by()` first.", call)
  }
  session <- if (is_query) tbl_data(.data$table)$session else tbl_data(.data)$session
  form <- as_it_is(with_suppress(keys_form(keys, share, by, session, call), suppress, call))
  if (!is_query) {
    return(with_tbl_data(.data, keys = form))
  }
  checked_query(with_tbl_data(.data, keys = form), call)
}

keys_form <- function(keys, share, by, session, call) {
  if (is.data.frame(keys)) {
    absent <- setdiff(by, names(keys))
    if (length(absent) > 0) {
      stop_query("keys", paste0("`keys` has no column ", listed(absent, "or"), "."),
        hint_for_column(absent, names(keys), paste0("The query is grouped by ", listed(by), ".")),
        call
      )
    }
    table <- public_table(keys, by, "keys", call)
    return(list(kind = "table", table = table, weight = as.double(share)))
  }
  if (!is_string(keys)) {
    stop_argument(
      "a public data frame, \"declared\", \"threshold\" or \"select\"", describe(keys), "keys", call
    )
  }
  check_choice(keys, c("declared", "threshold", "select"), call = call)
  if (keys != "declared" && session$loss$delta == 0) stop_without_delta(keys, session, call)
  list(kind = keys, table = NULL, weight = as.double(share))
}

# Whether the keys are private, so that a delta is needed.
pays_for_keys <- function(form) isTRUE(form$kind %in% c("threshold", "select"))

# Whether the keys use a share of the loss.
weighs_keys <- function(form) pays_for_keys(form) || !is.null(form$suppress)

with_suppress <- function(form, suppress, call) {
  if (!is.null(suppress)) {
    if (pays_for_keys(form)) {
      stop_query("keys", "`suppress` needs public keys.",
        paste0("`dp_keys(\"", form$kind, "\")` already leaves out small groups."), call
      )
    }
    form$suppress <- as.integer(suppress)
  }
  form
}

stop_without_delta <- function(keys, session, call) {
  maker <- if (measure_name(session$loss) == "rho") "dp_zcdp(rho" else "dp_epsilon(epsilon"
  stop_query("keys",
    paste0("`dp_keys(\"", keys, "\")` needs `delta > 0`, but this session's loss has `delta = 0`."),
    paste0("Create it with `", maker, ", delta = 1e-7)`."), call
  )
}
