# Kinds of arguments of statistics that bound columns.

# Range of one column.
range_of_column <- function() {
  words <- paste(
    "two finite numbers, lower and upper bound, or [bounds()] (0 and 1 for a",
    "logical column)"
  )
  argument_kind(words, reads = "varType", finds = TRUE, check = function(value, arg, call, args) {
    check_range(value, args$varType, call)
  })
}

# Ranges of the columns in the argument `of`, after `columns` maps them. With `alone`, a single
# column may have the form of range_of_column().
bounds_of <- function(of, columns = identity, alone = FALSE) {
  words <- paste0(
    if (alone) "two finite numbers, or for several columns ",
    "a list of pairs", if (!alone) " or of [bounds()]",
    ", or a matrix with a pair in each row"
  )
  check <- function(value, arg, call, args) {
    names <- columns(args[[of]])
    if (alone && length(names) == 1) return(check_range(value, args$varType, call))
    check_ranges(value, names, args$varType, call)
  }
  finds <- if (alone) FALSE else function(args) columns(args[[of]])
  argument_kind(words, check, reads = c("varType", of), finds = finds)
}

# Range for imputed values, or NULL if rows with missing values are dropped.
imputed_bounds <- function() {
  reads <- c("varType", "rng", "missing")
  words <- "two numbers within `rng`"
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    if (!drops_missing(args)) check_impute_range(value, args$rng, args$varType, call)
  })
}

imputed_bounds_of <- function(of, columns = identity, alone = FALSE) {
  words <- "in the form of `rng`, and within it"
  reads <- c("varType", "rng", "missing", of)
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    names <- columns(args[[of]])
    if (drops_missing(args)) {
      NULL
    } else if (alone && length(names) == 1) {
      check_impute_range(value, args$rng, args$varType, call)
    } else {
      check_impute_ranges(value, args$rng, names, args$varType, call)
    }
  })
}

# Kinds of arguments of statistics about levels, classes and groups --------------------------------

# Public texts or numbers that define the classes of a column.
class_levels <- function(least = 2, most = 1000) {
  how_many <- if (least == most) "two" else paste("from", least, "to", most)
  words <- paste(how_many, "different texts or numbers")
  argument_kind(words, function(value, arg, call, args) {
    named <- is.character(value) && !is.object(value) || is_numbers(value)
    fits <- named && is.null(dim(value)) && length(value) >= least && length(value) <= most &&
      !anyNA(value) && !anyDuplicated(value) && (is.character(value) || all(is.finite(value)))
    if (!fits) stop_argument(words, describe(value), arg, call)
    if (is.character(value)) enc2utf8(as.vector(value)) else as.double(value)
  })
}

two_groups <- function() class_levels(2, 2)

# Levels of each column in the argument `of`, in that order.
levels_of <- function(of) {
  each <- class_levels()
  words <- "a list with 2 to 1000 different texts or numbers for each column"
  argument_kind(words, reads = of, check = function(value, arg, call, args) {
    columns <- args[[of]]
    if (!is.list(value) || is.object(value) || length(value) != length(columns)) {
      stop_argument(paste("a list of the levels of", length(columns), "columns"), describe(value),
        arg, call
      )
    }
    lapply(in_order_of(value, columns, arg, call), function(levels) {
      check_texts(levels, arg, call)
      each$check(levels, arg, call, args)
    })
  })
}

# Tables of some columns in the argument `of`, in that order.
margins_of <- function(of) {
  words <- "a list of different sets of the names of columns, or NULL"
  argument_kind(words, reads = of, check = function(value, arg, call, args) {
    if (is.null(value)) {
      return(NULL)
    }
    columns <- args[[of]]
    is_set <- function(names) {
      is.character(names) && length(names) > 0 && all(names %in% columns) && !anyDuplicated(names)
    }
    sets <- if (is.character(value)) list(value) else value
    fits <- is.list(sets) && !is.object(sets) && length(sets) > 0 && all(vapply(sets, is_set, NA))
    if (fits) {
      sets <- unname(lapply(sets, function(names) columns[columns %in% names]))
      fits <- !anyDuplicated(sets)
    }
    if (!fits) stop_argument(words, describe(value), arg, call)
    sets
  })
}

# Public group sizes.
sizes_of_groups <- function() {
  words <- "two whole numbers, 2 or more, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (is.null(value)) return(NULL)
    fits <- is_numbers(value) && is.null(dim(value)) && length(value) == 2 &&
      all(is.finite(value)) && all(value == round(value) & value >= 2 & value < 2^39)
    if (!fits) stop_argument(words, name_public(value), arg, call)
    as.double(value)
  })
}

# Total number of rows: the sum of public group sizes, or given if the sizes are private.
rows_of_groups <- function() {
  kind <- count_from(2)
  count <- kind$check
  kind$check <- function(value, arg, call, args) {
    sizes <- args$groupSizes
    if (is.null(sizes)) {
      if (is_missing(value)) stop_argument("given, or `groupSizes`", "missing", arg, call)
      return(count(value, arg, call, args))
    }
    if (!is_missing(value) && count(value, arg, call, args) != sum(sizes)) {
      stop_argument("the sum of `groupSizes`, or NULL", name_public(value), arg, call)
    }
    sum(sizes)
  }
  kind$reads <- "groupSizes"
  kind
}

# Kinds of arguments of statistics that are formulas, and bounds of their terms --------------------

# A formula or a list of formulas over the columns in the argument `of`, in the form that
# check_formulas() returns.
formulas_of <- function(of) {
  words <- "a formula such as `y ~ a + b`, its text, a list of these, or NULL"
  reads <- c(of, "levels", "contrasts")
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    models <- check_formulas(value, args[[of]], args$levels, args$contrasts, call)
    check_levels_used(models, args$levels, args$contrasts, call)
    models
  })
}

# One formula, in the form that model_of_formula() returns.
model_formula <- function() {
  words <- "a formula such as `y ~ a + b`, or its text, see [statistic_formulas]"
  reads <- c("levels", "contrasts", "intercept")
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    constant <- args$intercept %||% TRUE
    model <- model_of_formula(value, args$levels, args$contrasts, constant, call)
    check_levels_used(list(model), args$levels, args$contrasts, call)
    model
  })
}

# Formula for classes, which always have a constant.
class_formula <- function() {
  words <- "a formula of different columns such as `class ~ a + b`, or its text"
  argument_kind(words, function(value, arg, call, args) {
    formula <- check_formula(value, call)
    if (!formula$intercept) stop_argument(words, "one without a constant", arg, call)
    formula
  })
}

terms_of_formula <- function(formula) formula$terms

# Levels of the factors in a formula.
declared_levels <- function() {
  words <- "a list of texts or whole numbers by the names of columns, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (!is.null(value)) check_levels(value, call)
  })
}

# Numeric columns that a formula reads, the response first.
columns_of_formula <- function(formula) {
  if (is.null(formula$design)) c(formula$response, formula$terms) else formula$design$columns
}

# Ranges of the numeric columns that a formula reads, then of the weights. The attribute `terms` has
# the ranges of terms. `design(args)` returns list(columns, terms) of a formula. `terms` is NULL if
# all columns are read.
bounds_of_design <- function(reads, design) {
  words <- paste(
    "a list of pairs or of [bounds()], or a matrix with a pair in each row (by name,",
    "also of terms)"
  )
  reads <- c("varType", "weights", reads)
  finds <- function(args) design(args)$columns
  argument_kind(words, reads = reads, finds = finds, check = function(value, arg, call, args) {
    design <- design(args)
    design$columns <- c(design$columns, args$weights)
    if (is.null(design$terms)) {
      return(check_ranges(value, design$columns, args$varType, call))
    }
    check_design_ranges(value, design, args$varType, call)
  })
}

bounds_of_formula <- function() {
  bounds_of_design("formula", function(args) {
    list(columns = columns_of_formula(args$formula), terms = args$formula$design$terms)
  })
}

bounds_of_formulas <- function(of) {
  bounds_of_design(c("formula", of), function(args) {
    list(columns = args[[of]], terms = terms_of_models(args$formula))
  })
}

# Kinds for statistics of `columns` from one joint release.
joint_kinds <- function(epsilon = loss_or_other(loss_words)) {
  list(
    columns = column_names(2), n = count_from(2), rng = bounds_of("columns"),
    epsilon = epsilon, imputeRng = imputed_bounds_of("columns")
  )
}

# Kinds of arguments of statistics that choose a rule, such as the rule for missing values ---------

# Rule for missing values, see with_missing_rule(). Dropping rows excludes imputation. It also
# excludes snapping, which needs a single number, unless there are `counts`. With `null`, NULL means
# "impute", as in plans from before this choice existed.
missing_rule <- function(counts = FALSE, null = FALSE) {
  words <- paste0(
    in_words(missing_rules), " (by default the second with `imputeRng` or `imputeBins`, otherwise ",
    "the first)"
  )
  argument_kind(words, reads = "mechanism", check = function(value, arg, call, args) {
    rule <- if (null && is.null(value)) "impute" else check_name(value, missing_rules, arg, call)
    if (rule == "drop" && !is_missing(args$imputeRng)) {
      stop_argument('NULL, for `missing = "drop"`', name_public(args$imputeRng), "imputeRng", call)
    }
    if (rule == "drop" && !counts && args$mechanism == "mechanismSnapping") {
      stop_argument('"impute", for "mechanismSnapping", which counts all `n` rows',
        name_public(rule), arg, call
      )
    }
    rule
  })
}

# Closed end of each cell, see with_closed_side(). NULL means the right end, as in plans from before
# this choice existed.
closed_side <- function() {
  argument_kind(in_words(cell_sides), function(value, arg, call, args) {
    side <- if (is.null(value)) "right" else check_name(value, cell_sides, arg, call)
    if (side == "left") side
  })
}

# Conversion of numbers to the type, see with_conversion(). NULL truncates, as in plans from before
# this choice existed.
value_conversion <- function() {
  argument_kind(in_words(conversions), function(value, arg, call, args) {
    rule <- if (is.null(value)) "truncate" else check_name(value, conversions, arg, call)
    if (rule == "round") rule
  })
}

# Target of the interval. `usual`, the only target of old plans, has the canonical form NULL.
# `hindered(args)` says why there is no interval for the population, or returns NULL.
interval_kind <- function(usual = "noise", reads = c("mechanism", "n", "rng"),
                          hindered = no_population_interval) {
  choices <- c(usual, "population")
  words <- paste0(in_words(choices), " (NULL means the first)")
  argument_kind(words, reads = reads, choices = choices, check = function(value, arg, call, args) {
    if (is.null(value) || check_name(value, choices, arg, call) == usual) {
      return(NULL)
    }
    why <- hindered(args)
    if (!is.null(why)) {
      stop_argument(paste0(in_words(usual), ": ", why), '"population"', arg, call)
    }
    "population"
  })
}

# Marks kinds whose population interval also holds at found bounds.
holds_at_found_bounds <- function(kind) c(kind, list(holds_anywhere = TRUE))

law_of_columns <- function() one_of(column_laws, null = TRUE)

# Method for the errors of a model. The default, all names, uses parts if there is `nBoot` and one
# step otherwise. NULL is the rule of old plans: parts with `nBoot`, no errors without. The
# canonical form of all methods except one step is NULL.
inference_kind <- function() {
  words <- paste0(
    in_words(inference_names), " (by default the third with `nBoot`, otherwise the first)"
  )
  check <- function(value, arg, call, args) {
    parts <- !is.null(args$nBoot)
    if (identical(value, inference_names)) value <- if (!parts) "onestep"
    if (!is.null(value)) value <- check_name(value, inference_names, arg, call)
    if (parts && !(value %||% "parts") == "parts") {
      stop_argument('"parts", or left out, with `nBoot`', name_public(value), arg, call)
    }
    if (!parts && identical(value, "parts")) {
      stop_argument('"onestep" or "none", without `nBoot`', name_public(value), arg, call)
    }
    if (identical(value, "onestep")) value
  }
  argument_kind(words, check, reads = "nBoot", choices = inference_names)
}

# Covariance estimator of a model. The canonical form NULL is the rule of old plans. With weights
# it is the sandwich.
covariance_kind <- function() {
  words <- paste0(in_words(vcov_names), " (NULL means the first, and with `weights` the second)")
  argument_kind(words, reads = "weights", choices = vcov_names, function(value, arg, call, args) {
    if (!is.null(value)) value <- check_name(value, vcov_names, arg, call)
    usual <- if (is.null(args$weights)) "classical" else "sandwich"
    if (!identical(value, usual)) value
  })
}

# Weight column, which must not be one of the columns in the argument `of`, after `columns` maps
# them.
row_weights <- function(of, columns = identity) {
  words <- "the name of a separate column, or NULL"
  reads <- c("varType", "missing", "levels", of)
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    if (is.null(value)) {
      return(NULL)
    }
    value <- check_string(value, arg = arg, call = call)
    if (!drops_missing(args) || args$varType != "numeric") {
      stop_argument('NULL, but for `missing = "drop"` and `varType = "numeric"`',
        name_public(value), arg, call
      )
    }
    used <- c(columns(args[[of]]), names(args$levels))
    if (value %in% used) {
      stop_argument(paste("none of", in_quotes(used)), name_public(value), arg, call)
    }
    value
  })
}

# Argument that only `inference = "onestep"` uses. Otherwise NULL.
of_one_step <- function(kind) {
  check <- kind$check
  kind$check <- function(value, arg, call, args) {
    if (is.null(value)) {
      return(NULL)
    }
    if (is.null(args$inference)) {
      stop_argument('NULL, unless `inference = "onestep"`', name_public(value), arg, call)
    }
    check(value, arg, call, args)
  }
  kind$must <- paste0(kind$must, ' (NULL unless `inference = "onestep"`)')
  kind$reads <- c(kind$reads, "inference")
  kind
}
