# Reads designs of package survey for dp_tbl(): the rows, and the names of the design's columns. The
# values of a design, such as its weights, are not used.

is_survey_design <- function(data) {
  inherits(data, c("survey.design", "svyrep.design", "twophase", "twophase2", "DBIsvydesign"))
}

# list(rows, names): a data frame, and the columns of weights, clusters and strata.
opened_design <- function(design, domain, call) {
  check_design(design, call)
  named <- list(
    weights = weights_of_design(design, call),
    clusters = columns_of_design(design$call$ids %||% design$call$id),
    strata = columns_of_design(design$call$strata)
  )
  absent <- setdiff(named$weights, names(domain))
  if (length(absent) > 0) {
    stop_query("domain", paste0("The design's weights, ", quoted(absent), ", are not declared."),
      paste0("Declare public bounds, such as `", absent, " = dp_num(0, 5000)`."), call
    )
  }
  list(rows = design$variables, names = named)
}

how_to_weigh <- paste0(
  "Put `weights(design)` into a column `w` of the data, and use `svydesign(weights = ~w)`."
)

check_design <- function(design, call) {
  is_simple <- inherits(design, "survey.design2") && is.data.frame(design$variables) &&
    !inherits(design, c("DBIsvydesign", "pps"))
  if (!is_simple || isTRUE(design$pps)) {
    stop_query("source", "`data` must be a `survey::svydesign()` design of a data frame.",
      "Give the data frame, with a weights column.", call
    )
  }
  if (!is.null(design$postStrata)) {
    stop_query("source", "The weights of a calibrated design are not a column.", how_to_weigh, call)
  }
}

# The weights column. Empty if the design has no weights.
weights_of_design <- function(design, call) {
  weights <- columns_of_design(design$call$weights)
  if (length(weights) == 1) {
    return(weights)
  }
  is_weighted <- intersect(c("weights", "probs", "fpc"), names(design$call))
  if (length(is_weighted) > 0) {
    stop_query("source", "The weights of a design must be one column, named by a formula.",
      how_to_weigh, call
    )
  }
  character()
}

# Names in a formula such as `~a` or `~a + b` of the design's call. Empty for `~1` and other code.
columns_of_design <- function(formula) {
  if (!identical(name_of_function(formula), "~") || length(formula) != 2) {
    return(character())
  }
  names_in_sum <- function(expr) {
    if (is.symbol(expr)) {
      return(as.character(expr))
    }
    if (!identical(name_of_function(expr), "+") || length(expr) != 3) {
      return(NULL)
    }
    each <- lapply(as.list(expr)[-1], names_in_sum)
    if (!any(vapply(each, is.null, NA))) unlist(each)
  }
  names_in_sum(formula[[2]]) %||% character()
}

design_line <- function(design) {
  used <- Filter(length, design)
  if (length(used) > 0) {
    paste0("  survey design: ", paste(names(used), vapply(used, toString, ""), collapse = "; "))
  }
}

# A query uses the weights only in the aggregates that name them.
warn_of_unweighted <- function(query, call) {
  weights <- tbl_data(query$table)$design$weights
  unweighted <- unweighted_aggregates(query)
  if (length(unweighted) == 0) {
    return(invisible())
  }
  if (inherits(query, "dp_model_query")) {
    return(warn_of_unweighted_model(query, weights, call))
  }
  can_be <- vapply(unweighted, function(one) takes_weights(one$fun), NA)
  warn_as_is(
    paste(c(
      paste0("The survey design has weights, but ", calls_of(unweighted), " ignore",
        if (length(unweighted) == 1) "s", " them."
      ),
      if (!weights %in% names(query$table)) {
        paste0("Keep the column: `dp_per_unit(", weights, " = max(", weights, "))`.")
      } else {
        c(
          if (any(can_be)) paste0("In ", calls_of(unweighted[can_be]), ", write `weights = ",
            weights, "`."
          ),
          if (!all(can_be)) paste0(calls_of(unweighted[!can_be]), " cannot have weights, so ",
            "the result describes the sample. For weighted cells, use `cut()`, `group_by()` and ",
            "`dp_count(weights = ", weights, ")`."
          )
        )
      }
    ), collapse = " "),
    "weights", call_of_verb(call)
  )
}

warn_of_unweighted_model <- function(query, weights, call) {
  name <- paste0("`dp_", query$model$kind, "()`")
  advice <- if (query$model$kind == "lm") {
    paste0("Write `weights = ", weights, "`.")
  } else {
    paste(name, "cannot have weights, so the result describes the sample.")
  }
  warn_as_is(paste("The survey design has weights, but", name, "ignores them.", advice), "weights",
    call_of_verb(call)
  )
}

# Aggregates that describe the sample, although the design has weights. Numbers of rows that a cap
# affects need no weights.
unweighted_aggregates <- function(query) {
  if (length(tbl_data(query$table)$design$weights) == 0) {
    return(list())
  }
  Filter(function(one) {
    is.null(one$weights) && !one$fun %in% c("capped", "dropped")
  }, unname(query$aggregates))
}

calls_of <- function(aggregates) {
  listed(unique(vapply(aggregates, describe_aggregate, "")))
}

notes_of_design <- function(query) {
  unweighted <- unweighted_aggregates(query)
  if (length(unweighted) > 0 && inherits(query, "dp_model_query")) {
    "without the weights of the survey design"
  } else if (length(unweighted) > 0) {
    paste("without the weights of the survey design:", toString(unique(
      vapply(unweighted, describe_aggregate, "")
    )))
  }
}
