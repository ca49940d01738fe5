#' Prepare columns by public rules
#'
#' These functions prepare a column as the statistics do, so that you can inspect private data. Each
#' rule is public and looks at one value (or row) at a time, so one replaced row stays one replaced
#' row. Do not publish what these functions return: it has no noise.
#'
#' Values are imputed independently and uniformly from the secure generator. Imputation moves a mean
#' by the share of missing values times the distance between the middle of the range and the true
#' mean.
#'
#' @param x (vector, matrix or `data.frame`) Private values to prepare. With several ranges a matrix
#'   or data frame.
#' @param varType (`character(1)`) Type of the values: `"numeric"`, `"double"`, `"integer"`,
#'   `"logical"`, `"character"` or `"factor"`.
#' @param rng (`numeric(2)` or `list`) Lower and upper bound, public. In format `"list"` a pair for
#'   each column.
#' @param levels (`character`) Public values of a text column.
#' @param rngFormat (`character(1)`) Format of `rng`: `"vector"` or `"list"`.
#' @param imputeRng (`numeric(2)` or `list`) Range of the numbers drawn. For a matrix or data frame
#'   a pair for each column, as a list or the rows of a matrix.
#' @param categories (vector) Texts to draw from, by default the levels of a factor.
#' @param values (vector of length 2) Two different values: the first becomes 0, the second 1, and
#'   all others are missing.
#' @param vals (`numeric`) Uniform numbers, at least 0 and below 1.
#' @param lower,upper (`numeric(1)`) Ends of a range of numbers.
#' @param data (`data.frame`) Private data.
#' @param formula (`formula`) Formula with the response on the left.
#' @param ... Not used.
#' @param imputeConstant (`numeric(1)` or `character(1)`) Replacement for missing values, instead of
#'   draws.
#' @returns
#' * `censorData()`: numbers clamped to the range, with `NaN` as missing, or a factor with `levels`,
#'   where other values are missing.
#' * `fillMissing()`: `x` without missing values. Integers lie between the bounds, inclusive.
#' * `scaleValues()`: values that correspond to uniform numbers: numbers between `lower` and
#'   `upper`, whole numbers including both ends, 0 or 1, or one of `categories`, all equally likely.
#'   `fillMissing()` does not need it, because it draws whole numbers directly.
#' * `makeLogical()`: 0 and 1, `numeric`.
#' * `makeDummies()`: the data frame with each factor replaced by columns of 0 and 1, named
#'   `name_level`. They follow the other columns and leave out the first level.
#' * `extractIndices()`: a list of `xInd`, the positions of the columns on the right, `yInd`, the
#'   position of the response, both counted from 1, and `intercept`.
#' @section Errors: `dp_error_invalid_argument` for unsuitable arguments. The message names only
#'   types.
#' @examples
#' censorData(c(-3, 4, NA), varType = "numeric", rng = c(0, 5))
#' fillMissing(c(1, NA, 3), varType = "numeric", imputeRng = c(0, 5))
#' scaleValues(c(0, 0.3, 0.5, 0.999), varType = "integer", lower = 1, upper = 5)
#' makeLogical(c("cat", "dog", "dog"), values = c("cat", "dog"))
#' makeDummies(data.frame(a = factor(c("x", "y", "z")), b = 1:3))
#' extractIndices(income ~ age + educ, PUMS5extract10000)
#' @order 1
#' @name preparation
NULL

preparation_types <- c("numeric", "double", "integer", "logical", "character", "factor")
text_types <- c("character", "factor")

#' @rdname preparation
#' @export
censorData <- function(x, varType, rng = NULL, levels = NULL, rngFormat = "vector") {
  call <- rlang::current_env()
  varType <- check_name(varType, preparation_types)
  if (varType %in% text_types) {
    text <- plain_texts(x)
    # Observed values are not public levels. They are used for inspection, as in older versions.
    return(factor(text, levels %||% unique(text), exclude = if (is.null(levels)) NULL else NA))
  }
  rngFormat <- check_name(rngFormat, c("vector", "list"))
  if (rngFormat == "vector") {
    return(censor_column(x, check_range(rng, as_statistic_type(varType), call), call))
  }
  ranges <- check_ranges(rng, colnames(x) %||% NCOL(x), as_statistic_type(varType), call)
  each_column(x, ranges, function(column, range) censor_column(column, range, call), call)
}

# Keeps the bounds as given, so the result is numeric and can have a fraction.
as_statistic_type <- function(varType) if (varType == "logical") "logical" else "numeric"

censor_column <- function(x, rng, call) {
  if (!is_plain_column(x)) {
    stop_argument("a plain vector of numbers", "another object", "x", call)
  }
  within <- pmin(pmax(as.double(x), rng[[1]]), rng[[2]])
  within[is.nan(within)] <- NA
  within
}

# A matrix stays a matrix, and a data frame a data frame.
each_column <- function(x, ranges, change, call) {
  if (!is.matrix(x) && !is.data.frame(x)) {
    stop_argument("a matrix or data frame", "another object", "x", call)
  }
  for (i in seq_len(ncol(x))) {
    column <- if (is.matrix(x)) as.vector(x[, i]) else x[[i]]
    changed <- change(column, ranges[[i]])
    if (is.matrix(x)) x[, i] <- changed else x[[i]] <- changed
  }
  x
}

#' @rdname preparation
#' @export
scaleValues <- function(vals, varType, lower = NULL, upper = NULL, categories = NULL) {
  call <- rlang::current_env()
  varType <- check_name(varType, preparation_types)
  if (!is_numbers(vals) || !all(is.finite(vals) & vals >= 0 & vals < 1)) {
    stop_argument("numbers of at least 0 and below 1", describe(vals), "vals", call)
  }
  if (varType %in% text_types) {
    if (length(categories) == 0) stop_argument("given", "left out", "categories", call)
    return(factor(categories[floor(vals * length(categories)) + 1], categories))
  }
  rng <- check_range(c(lower, upper), if (varType == "double") "numeric" else varType, call)
  if (varType %in% c("integer", "logical")) {
    rng[[1]] + floor(vals * (diff(rng) + 1))
  } else {
    rng[[1]] + vals * diff(rng)
  }
}

#' @rdname preparation
#' @export
makeLogical <- function(x, values) {
  if (missing(values) || !is_two_values(values)) {
    stop_argument("two different values", "something else", "values", rlang::current_env())
  }
  as.double(match(x, values) - 1)
}

is_two_values <- function(x) {
  is.atomic(x) && length(x) == 2 && !anyNA(x) && !anyDuplicated(x)
}

#' @rdname preparation
#' @export
makeDummies <- function(data, levels = NULL, ...) {
  check_names(...)
  if (!is.data.frame(data)) {
    stop_argument("a data frame", describe(data), "data", rlang::current_env())
  }
  factors <- if (is.null(levels)) names(data)[vapply(data, is.factor, NA)] else names(levels)
  dummies <- lapply(factors, function(name) {
    values <- levels[[name]] %||% attr(data[[name]], "levels")
    columns <- lapply(values[-1], function(value) as.double(as.character(data[[name]]) == value))
    stats::setNames(columns, paste(rep(name, length(columns)), values[-1], sep = "_"))
  })
  kept <- as.list(data)[setdiff(names(data), factors)]
  structure(c(kept, unlist(dummies, recursive = FALSE)),
    class = "data.frame", row.names = .set_row_names(nrow(data))
  )
}

#' @rdname preparation
#' @export
extractIndices <- function(formula, data, ...) {
  check_names(...)
  call <- rlang::current_env()
  if (!inherits(formula, "formula") || length(formula) != 3) {
    stop_argument("a formula with a response", describe(formula), "formula", call)
  }
  if (!is.data.frame(data)) stop_argument("a data frame", describe(data), "data", call)
  check_formula_size(formula, call, dot = length(data))
  terms <- stats::terms(formula, data = data)
  response <- all.vars(formula[[2]])
  predictors <- attr(terms, "term.labels")
  if (length(response) != 1 || !all(c(response, predictors) %in% names(data))) {
    stop_argument("of columns of `data` alone", "of others", "formula", call)
  }
  list(
    yInd = match(response, names(data)), xInd = match(predictors, names(data)),
    intercept = attr(terms, "intercept") == 1
  )
}

# Replaces missing values by random draws ----------------------------------------------------------

#' @rdname preparation
#' @export
fillMissing <- function(x, varType, imputeRng = NULL, categories = NULL, imputeConstant = NULL) {
  call <- rlang::current_env()
  varType <- check_name(varType, preparation_types)
  if (is.matrix(x) || is.data.frame(x)) {
    ranges <- pairs_of_columns(imputeRng, colnames(x) %||% ncol(x), "imputeRng", call)
    return(each_column(x, ranges, function(column, range) {
      fill_numbers(column, varType, range, imputeConstant, call)
    }, call))
  }
  if (varType %in% text_types) {
    fill_texts(x, categories %||% attr(x, "levels"), imputeConstant, call)
  } else {
    fill_numbers(x, varType, imputeRng, imputeConstant, call)
  }
}

fill_numbers <- function(x, varType, rng, constant, call) {
  if (!is_plain_column(x)) {
    stop_argument("a plain vector of numbers", "another object", "x", call)
  }
  x <- as.double(x)
  if (!is.null(constant)) {
    check_number(constant, arg = "imputeConstant", call = call)
    return(ifelse(is.na(x), constant, x))
  }
  whole <- varType %in% c("integer", "logical")
  rng <- check_range(rng, if (varType == "double") "numeric" else varType, call)
  ifelse(is.na(x), uniform_draws(length(x), rng, whole), x)
}

# Draws one number for every value, missing or not. Otherwise the run time would show how many are
# missing.
uniform_draws <- function(count, rng, whole) {
  with_features("contrib", {
    missing <- c(
      vector_domain(atom_domain(nan = TRUE, .T = "f64"), size = count), change_one_distance()
    )
    rows <- if (whole) missing |> then_cast(.TOA = "i64") else missing
    impute <- rows |> then_impute_uniform(bounds = rng)
    as.double(impute(arg = rep(NaN, count)))
  })
}

fill_texts <- function(x, categories, constant, call) {
  if (is.null(categories) || length(categories) == 0 || anyNA(categories)) {
    stop_argument("given, without missing values", "missing", "categories", call)
  }
  categories <- as.character(categories)
  text <- plain_texts(x)
  places <- if (is.null(constant)) {
    uniform_draws(length(text), c(1, length(categories)), whole = TRUE)
  } else {
    rep(match(check_string(constant, arg = "imputeConstant", call = call), categories),
      length(text))
  }
  if (anyNA(places)) stop_argument("one of `categories`", "another value", "imputeConstant", call)
  filled <- ifelse(is.na(text), categories[places], text)
  if (is.factor(x)) factor(filled, union(levels(x), categories)) else filled
}
