# Coefficients and other released numbers in the tables of package broom.

# Methods' arguments have the names that the generics' other methods give them.
# nolint start: object_name_linter.

#' @rdname statistic_tables
#' @exportS3Method generics::tidy
tidy.dp_result <- function(x, conf.int = TRUE, conf.level = NULL, exponentiate = FALSE, ...) {
  call <- environment()
  check_names(...)
  check_flag(conf.int)
  check_flag(exponentiate)
  table <- result_rows(x)
  if (!is.null(conf.level)) table <- at_level(table, x, conf.level, call)
  if (exponentiate) table <- exponentiated(table, x, call)
  if (!conf.int) table[c("conf.low", "conf.high", "covers")] <- NULL
  table
}

#' @rdname statistic_tables
#' @exportS3Method generics::tidy
tidy.dpStatistic <- function(x, ...) generics::tidy(result_of(x), ...)

# nolint end

# Intervals of coefficients are known at any level. The variance of residuals has none.
at_level <- function(table, x, level, call) UseMethod("at_level", x)

at_level.default <- function(table, x, level, call) { # nolint: object_name_linter.
  if (!inherits(x, "dp_glm_result")) {
    check_released_level(level, alpha_of(x), "conf.level", call)
    return(table)
  }
  check_probability(level, arg = "conf.level", call = call)
  model <- released_model(x, call = call)
  ends <- coefficient_intervals(model$coefficients, errors_of_model(model, call), level)
  table[seq_len(nrow(ends)), c("conf.low", "conf.high")] <- ends
  table$mark <- marks_of_rows(x, table)
  table
}

# Odds ratios, and ratios of rates. As in broom, standard errors stay on the scale of the link.
exponentiated <- function(table, x, call) {
  link <- if (inherits(x, "dp_glm_result")) released_model(x, call = call)$family$link
  if (!isTRUE(link %in% c("log", "logit"))) {
    stop_argument("FALSE: only models with the link \"log\" or \"logit\" have ratios", "TRUE",
      "exponentiate", call
    )
  }
  shown <- intersect(c("estimate", "conf.low", "conf.high"), names(table))
  table[shown] <- lapply(table[shown], exp)
  table
}
