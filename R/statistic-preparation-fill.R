# Replaces missing values by random draws.

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
