#' Statistics and releases as JSON
#'
#' `release2json()` writes what was released, with the guarantee of each release, for other
#' programs; `meanGetJSON()` and `histogramGetJSON()` describe what a statistic wants to know. No
#' data are read.
#'
#' @param release (`list`) Statistics that have released, such as [dpMean()] makes, or one of them.
#' @param namesList (`list` or `character`) A name for the variable of each; by default its own.
#' @returns Text of class `json`: an object with `dataset` (`rowCount`, `variableCount`,
#'   `structure`) and `dp-releases`, an array. Each release has `statistic`, `variables`,
#'   `releaseInfo` (`mechanism`, `releaseValue`), `privacyLoss` (`name`, `"pure"` or `"approx dp"`,
#'   `epsilon` and `delta`), `accuracy` (`accuracyValue`, `alpha`), `batch`, `nodeId`,
#'   `algorithmInfo` (`name`, `argument` with `n` and `constraint`, the range) and `postprocess`:
#'   what follows from the release. Numbers have 15 digits.
#'
#'   The descriptors: an object with `statistic`, `description`, `mechanisms` and `variableTypes`,
#'   for each kind of variables its R types and the arguments that are needed.
#' @section Errors: `dp_error_invalid_argument` for a statistic that has not released, or another
#'   number of names.
#' @examples
#' mean_age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' mean_age$release(PUMS5extract10000)
#' release2json(mean_age)
#' meanGetJSON()
#' @name statistic_json
NULL

#' @rdname statistic_json
#' @export
release2json <- function(release, namesList = NULL) {
  call <- rlang::current_env()
  if (inherits(release, "dpStatistic")) release <- list(release)
  if (!is.list(release) || !all(vapply(release, inherits, NA, "dpStatistic"))) {
    stop_argument("statistics", describe(release), "release", call)
  }
  if (any(vapply(release, function(statistic) is.null(statistic$result), NA))) {
    stop_argument("statistics that have released", "one that has not", "release", call)
  }
  if (!is.null(namesList) && length(namesList) != length(release)) {
    stop_argument("as many names as releases", "another number", "namesList", call)
  }
  entries <- lapply(seq_along(release), function(i) {
    release_entry(release[[i]], if (is.null(namesList)) NULL else namesList[[i]], i)
  })
  variables <- unique(unlist(lapply(entries, `[[`, "variables")))
  json_text(list(
    dataset = list(
      rowCount = release[[1]]$n, variableCount = length(variables), structure = "unknown"
    ),
    `dp-releases` = entries
  ))
}

release_entry <- function(statistic, name, batch) {
  fields <- statistic$getFields()
  result <- unclass(fields$result)
  attributes(result) <- list(names = names(result))
  delta <- sum(fields$delta)
  loss <- list(
    name = if (delta > 0) "approx dp" else "pure", epsilon = fields$globalEps %||% fields$epsilon
  )
  if (delta > 0) loss$delta <- delta
  told <- c("release", "variable", "accuracy", "epsilon", "delta", "mechanism", "globalEps", "n")
  list(
    statistic = sub("^dp", "", class(statistic)[[1]]),
    variables = I(as.character(name %||% fields$variable)),
    releaseInfo = list(
      mechanism = sub("^mechanism", "", fields$mechanism), releaseValue = result$release
    ),
    privacyLoss = loss,
    accuracy = list(accuracyValue = fields$accuracy, alpha = fields$alpha),
    batch = batch, nodeId = batch - 1,
    algorithmInfo = list(
      name = fields$name,
      argument = list(n = fields$n, constraint = range_entry(fields$rng), varType = fields$varType)
    ),
    postprocess = result[setdiff(names(result), told)]
  )
}

range_entry <- function(rng) {
  if (is.list(rng)) lapply(rng, range_entry) else list(lowerbound = rng[1], upperbound = rng[2])
}

json_text <- function(x) {
  jsonlite::toJSON(x, auto_unbox = TRUE, digits = I(15), null = "null", na = "null", pretty = TRUE)
}

json_fields <- list(
  n = "Number of rows, public", range = "Public lower and upper bound of the values",
  bins = "Texts that are counted, public", nBins = "Number of cells of equal width"
)

descriptor <- function(statistic, description, mechanisms, numeric, categorical, types) {
  kind <- function(rTypes, fields) {
    list(rTypes = I(rTypes), fields = json_fields[fields])
  }
  json_text(list(
    statistic = statistic, description = description, mechanisms = I(mechanisms),
    variableTypes = list(
      numeric = kind(c("numeric", "integer"), numeric), categorical = kind(types, categorical)
    )
  ))
}

#' @rdname statistic_json
#' @export
meanGetJSON <- function() {
  descriptor("Mean", "Mean of a column", "Laplace", c("n", "range"), c("n", "range"), "logical")
}

#' @rdname statistic_json
#' @export
histogramGetJSON <- function() {
  descriptor(
    "Histogram", "Counts of the cells of a column", c("Laplace", "Stability"),
    c("n", "range", "nBins"), c("n", "bins"), c("character", "factor")
  )
}
