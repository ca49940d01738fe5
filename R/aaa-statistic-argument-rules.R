# Kinds of arguments of statistics that choose a rule, such as the rule for missing values.

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
