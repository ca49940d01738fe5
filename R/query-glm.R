#' Logistic and Poisson models of private tables
#'
#' `dp_glm()` is a query, like [dp_lm()], for tables with at most one row for each person. The
#' release contains the coefficients with noise, and sums that give standard errors and intervals.
#'
#' @inheritParams dp_lm
#' @param formula (`formula`) Response and terms, as in [dp_lm()], with an intercept. The response
#'   of a logistic model is a logical column, or a number with bounds 0 and 1. The response of a
#'   Poisson model is a count with bounds from 0 on. Public.
#' @param ... `dp_glm()` takes no more arguments.
#' @param family `binomial()` or `poisson()`, with their default links. Public.
#' @param vcov (`character(1)`) `"classical"` errors assume that the model is true. `"sandwich"`
#'   errors do not, and need more noise. `"none"` spends the whole loss on the coefficients. Public.
#' @returns A query for [release()], [dp_preview()] and [dp_batch()]. Its release is a [dp_result]
#'   with the methods of [statistic_models], as for [dpGLM()]. It does not contain the number of
#'   rows: [nobs()][statistic_models] is `NA`.
#' @section How it works: `dp_glm()` uses the method of [dpGLM()], see [its page][glm_method], for a
#'   table with a private number of rows. Neighbouring tables differ by one added or removed row.
#'   The objective is the sum of losses over rows, plus a ridge that does not depend on their
#'   number, plus a random linear function. Let d be the number of coefficients, s the largest slope
#'   and c the largest curvature of the loss. One row moves the gradient by at most s in each
#'   element, so the random vector costs `s rate + ln(1 + c d / ridge)`. For [dpGLM()], a replaced
#'   row moves it by 2 s. The rest is the same: a 1024th of the loss covers the distance of the
#'   computed minimum from the exact one, and a fifth of the loss goes to errors. The ridge is
#'   public and small: about `4 c d / epsilon` for all rows together.
#'
#'   In a session that counts rho, a release with `epsilon` costs `epsilon^2 / 2`. With
#'   `dp_unit(rows = k)` the loss of k rows is k times the loss of one row, so the noise is k times
#'   as large. If one person has the k rows, use `dp_unit(id = )` and one row for each.
#'
#'   R reads the rows, because the method reads them many times. With `rows = "stay"` a database
#'   table raises an error, and so do shards.
#' @section Errors: `dp_error_unbounded` if a person can have several rows. `dp_error_unsupported`
#'   for groups, for other families and links, and for tables whose rows must stay in their engine.
#'   `dp_error_invalid_argument` for a response that does not fit the family. Otherwise as for
#'   [dp_lm()].
#' @inherit glm_method references
#' @seealso [dpGLM()] for data frames with a public number of rows, and for probit models.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(3)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(married = dp_int(0, 1), age = dp_int(18, 93), educ = dp_int(1, 16))
#' )
#' model <- people |>
#'   dp_glm(married ~ age + educ) |>
#'   release(epsilon = 2)
#' model
#' predict(model, data.frame(age = 40, educ = 12), type = "response")
#' @export
dp_glm <- function(.data, formula, ..., family = stats::binomial(), vcov = "classical") {
  check_names(..., hints = c(
    weights = "It has no row weights. `dp_lm()` and means have them."
  ))
  call <- environment()
  check_table_of_model(.data, call)
  kind <- kind_of_family(family, call)
  check_choice(vcov, c("classical", "sandwich", "none"), arg = "vcov", call = call)
  check_one_table(.data, call)
  model <- model_of_table(formula, .data, call)
  if (!model$intercept) refuse_formula("a model without an intercept. Leave out `- 1`", call)
  check_response_of(model$response, kind, .data, call)
  query <- row_model_query(.data, model, kind, vcov, call)
  check_one_row_each(query, call)
  query
}

kind_of_family <- function(family, call) {
  if (is.character(family) && length(family) == 1) {
    family <- get0(family, envir = asNamespace("stats"), mode = "function")
  }
  if (is.function(family)) family <- or_else(family(), function(error) NULL)
  if (!inherits(family, "family")) {
    stop_argument("`binomial()` or `poisson()`", describe(family), "family", call)
  }
  kind <- c("binomial logit" = "logit", "poisson log" = "poisson")[
    paste(family$family, family$link)
  ]
  if (is.na(kind)) {
    instead <- if (family$family == "gaussian") {
      "Use `dp_lm()` for linear models."
    } else {
      "Use `binomial()` or `poisson()`, or `dpGLM()` for a probit model of a data frame."
    }
    stop_query("unsupported",
      paste0("`dp_glm()` has no family `", family$family, "` with the link `", family$link, "`."),
      instead, call
    )
  }
  unname(kind)
}

check_one_table <- function(x, call) {
  table <- tbl_data(x)
  if (length(table$groups) > 0) {
    stop_query("unsupported", "`dp_glm()` takes no groups.",
      "Use `ungroup()` and `filter()` for the model of one group, or the group as a predictor.",
      call
    )
  }
  rows <- if (!is.null(table$rows)) core_hidden(table$rows)
  if (inherits(rows, "dp_engine") && is_sharded(rows)) {
    stop_query("unsupported", "`dp_glm()` reads rows, which do not leave their shard.",
      "Use `dp_lm()`, or store the rows in one table.", call
    )
  }
}

check_response_of <- function(response, kind, x, call) {
  must <- if (kind == "logit") "a logical, or a number with bounds 0 and 1" else
    "a count with bounds from 0 on"
  field <- if (length(response$numbers) > 0) fields_of(x)[[response$numbers]]
  fits <- if (is.null(field)) {
    kind == "logit"
  } else if (kind == "logit") {
    field$lower == 0 && field$upper == 1
  } else {
    field$lower >= 0 && field$upper >= 1
  }
  if (!fits) {
    came <- if (is.null(field)) "a logical" else paste("bounds", field$lower, "and", field$upper)
    stop_argument(paste0("a formula whose response, `", response$name, "`, is ", must), came,
      "formula", call
    )
  }
}

row_model_query <- function(x, model, kind, vcov, call) {
  columns <- c(list(model$response), model$terms)
  names <- character()
  for (one in columns) {
    made <- with_model_column(x, one, call)
    x <- made$table
    names <- c(names, made$name)
  }
  aggregate <- list(
    name = "coefficients", fun = kind, of = column(names[[1]]),
    predictors = lapply(names[-1], column), errors = vcov, bounds = NULL, weight = 1, scale = NULL,
    accuracy = NULL, probabilities = NULL, grid = NULL, method = "automatic", weights = NULL,
    up_to = NULL
  )
  about <- list(
    kind = "glm", objective = kind, text = model$text, intercept = TRUE, vcov = vcov,
    columns = columns, fields = fields_of(x), ends = lapply(fields_of(x)[names], function(field) {
      as.double(c(field$lower, field$upper))
    })
  )
  query <- list(table = x, by = tbl_data(x)$groups, aggregates = list(coefficients = aggregate),
    outputs = list(list(name = "coefficients", value = column("coefficients"))),
    keys = tbl_data(x)$keys, model = about
  )
  query <- structure(query, class = c("dp_model_query", "dp_query", "dp_private"))
  warn_of_unweighted(query, call)
  checked_query(query, call)
}

# Adds a model column to a table, unless it is a column already: list(table, name). A row that lacks
# a value of it has a gap.
with_model_column <- function(x, model_column, call) {
  cells <- model_column$cells
  numbers <- lapply(model_column$numbers, column)
  if (length(cells) == 0 && length(numbers) == 1) {
    return(list(table = x, name = model_column$numbers))
  }
  name <- model_column$name
  while (name %in% names(tbl_data(x)$fields)) name <- paste0(".", name)
  value <- if (length(numbers) > 0) Reduce(function(a, b) operation("*", a, b), numbers)
  within <- if (length(cells) > 0) {
    Reduce(function(a, b) operation("&", a, b), Map(function(of, level) {
      condition_of_cell(of, level, fields_of(x)[[of]])
    }, names(cells), cells))
  }
  whole <- is.null(value) || all(vapply(fields_of(x)[model_column$numbers], function(field) {
    field$type == "integer"
  }, NA))
  constant <- function(number) {
    list(op = "literal", value = if (whole) as.integer(number) else number)
  }
  if (!is.null(within)) {
    value <- operation("if_else", within, value %||% constant(1), constant(0))
  }
  step <- list(step = "mutate", name = name, value = value)
  list(table = with_step_checked(x, step, call), name = name)
}

condition_of_cell <- function(name, level, field) {
  if (field$type == "logical") {
    return(column(name))
  }
  value <- if (isTRUE(field$whole)) as.integer(level) else level
  operation("==", column(name), list(op = "literal", value = value))
}

check_one_row_each <- function(query, call) {
  if (!has_independent_rows(query)) {
    stop_query("unbounded", "`dp_glm()` takes at most one row for each person.",
      "Use `dp_truncate(max_rows = 1)` or `dp_per_unit()` before it.", call
    )
  }
}
