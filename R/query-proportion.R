#' Percentages of released counts
#'
#' `dp_prop()` turns a released count into percentages with intervals, across all groups or within
#' each value of `by`. This is postprocessing: it reads no data and spends no budget.
#'
#' @param released (`dp_released`) A released query with groups, see [release()].
#' @param of (`character(1)`) A column of counts. `NULL` means the first one.
#' @param by Grouping columns within which the percentages add up to 100: bare names, `c()` of
#'   names, or strings. None by default.
#' @param ... Not used: other names raise an error.
#' @returns A data frame, a tibble if package tibble is installed: the grouping columns, the count,
#'   and `percent`, `conf.low` and `conf.high` in percent, from 0 to 100. A percentage is `NA` if
#'   the total can be 0, given the noise. The column `percent_of` names the total: `"all rows"`,
#'   `"rows in a group"` if some rows can be in no group, or `"rows in the groups shown"` if groups
#'   can be hidden, see [dp_keys()]. It says `"weights"` or `"people"` if the count is of these. A
#'   person counts once in each group.
#' @details Let `n` be a count and `t` the total of its percentages. The interval contains all
#'   proportions `p` such that the noise can explain `|n - p t|` (Fieller's interval). The noise of
#'   different counts is independent. Negative counts are added as they are, because setting them to
#'   0 would bias the total upwards.
#' @section Errors: `dp_error_invalid_argument` if `of` is not a released count with a single noise
#'   scale, or if `by` is not a grouping column.
#' @references Fieller (1954), "Some problems in interval estimation", Journal of the Royal
#'   Statistical Society B 16.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(educ = dp_int(1, 16), sex = dp_levels(0, 1))
#' )
#' released <- people |>
#'   count(sex, educ) |>
#'   release(epsilon = 0.5)
#' dp_prop(released)
#' dp_prop(released, by = "sex")
#' @export
dp_prop <- function(released, of = NULL, by = NULL, ...) {
  check_names(...)
  call <- environment()
  check_class(released, "dp_released")
  about <- about_released(released)
  counts <- unique(about$preview$column[about$preview$aggregate %in% c("count", "ids")])
  counts <- intersect(about$terms, counts)
  if (length(counts) == 0) {
    stop_argument("a release with a count", "one without", "released", call)
  }
  of <- if (is.null(of)) counts[[1]] else check_choice(of, counts, call = call)
  by <- names_in_quo(rlang::enquo(by), "by", call)
  for (key in by) check_choice(key, about$keys, arg = "by", call = call)
  lines <- about$tidy[about$tidy$column == of, ]
  measured <- about$preview[match(of, about$preview$column), ]
  within <- interaction(c(list(rep("", nrow(lines))), lines[by]), drop = TRUE, lex.order = TRUE)
  is_gaussian <- grepl("Gaussian", measured$mechanism)
  parts <- lapply(split(lines$estimate, within), core_query_shares, is_gaussian, measured$scale,
    about$alpha
  )
  shares <- lapply(c("value", "lower", "upper"), function(name) {
    percent <- 100 * unsplit(lapply(parts, `[[`, name), within)
    replace(percent, is.nan(percent), NA)
  })
  table <- c(unclass(unreleased(released))[about$keys], list(lines$estimate), shares)
  names(table) <- c(about$keys, of, "percent", "conf.low", "conf.high")
  counted <- if (measured$aggregate == "ids") "people" else measured$part
  percent_of <- sub("rows", counted, about$share_of %||% "all rows", fixed = TRUE)
  table$percent_of <- rep(percent_of, nrow(lines))
  table <- structure(table, row.names = .set_row_names(nrow(lines)), class = "data.frame")
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}
