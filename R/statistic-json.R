#' Statistics and releases as JSON
#'
#' Write statistics and releases as JSON for other programs. `release2json()` writes releases with
#' their privacy guarantees. `meanGetJSON()` and `histogramGetJSON()` describe the inputs of a
#' statistic, and `createJSON()` describes all statistics in an array. No data are read.
#'
#' @param release (`list`) Statistics with a release, such as [dpMean()] makes, or a single one.
#' @param namesList (`list` or `character`) Name for the variable of each statistic. The default is
#'   the name in the plan.
#' @param dataset (`list`) Further public facts about the data: any of `description`,
#'   `unitOfAnalysis`, `structure` (`"wide"`, `"long"` or `"unknown"`), `dataSource` (a list of
#'   `name`, `type`, `format` and `filesize`) and `citation` (a list of `name`). They are written
#'   unchanged.
#' @returns Text of class `json`: an object with `self` (`schema_version`, `created`,
#'   `description`), `dataset` (`rowCount`, `variableCount` and the facts above) and `dp-releases`,
#'   an array. Each release has
#'
#'   * `statistic`, `variables` and `releaseInfo` (`mechanism`, `releaseValue`).
#'   * `privacyLoss`: `name`, with `"pure"` or `"approx dp"`, `epsilon` and `delta`, or `"zCDP"` and
#'     `rho`. If the loss depends on promises, `unverified` is an array of their arguments.
#'   * `accuracy` (`accuracyValue`, `alpha`), `batch` and `nodeId`.
#'   * `algorithmInfo`: `name`, `plan` (its hash), `cite`, and `argument` with `n`, `constraint`
#'     (the range), `varType`, `n_check` and `missing`.
#'   * `postprocess`: numbers derived from the release. `covers` has the target of each interval.
#'
#'   Numbers have 15 digits. Losses have 17, which identify a double exactly. The JSON schema
#'   (draft 7) is the file `system.file("schema", "release.json", package = "PSIlence")`.
#'
#'   A descriptor is an object with `statistic`, `description`, `mechanisms` and `variableTypes`.
#'   For each kind of variable, the last has its R types and the required arguments.
#' @section Errors: `dp_error_invalid_argument` for a statistic without a release, or a wrong number
#'   of names.
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
release2json <- function(release, namesList = NULL, dataset = list()) {
  call <- rlang::current_env()
  if (inherits(release, "dpStatistic")) release <- list(release)
  all_statistics <- is.list(release) && length(release) > 0 &&
    all(vapply(release, inherits, NA, "dpStatistic"))
  if (!all_statistics) {
    stop_argument("statistics", describe(release), "release", call)
  }
  if (any(vapply(release, function(statistic) is.null(statistic$result), NA))) {
    stop_argument("statistics that have released", "one that has not", "release", call)
  }
  if (!is.null(namesList) && length(namesList) != length(release)) {
    stop_argument("one name for each release", "a different number", "namesList", call)
  }
  entries <- lapply(seq_along(release), function(i) {
    release_entry(release[[i]], if (is.null(namesList)) NULL else namesList[[i]], i)
  })
  variables <- unique(unlist(lapply(entries, `[[`, "variables")))
  counts <- list(rowCount = release[[1]]$n, variableCount = length(variables))
  json_text(list(
    self = list(
      schema_version = json_schema, created = format(Sys.time(), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"),
      description = "Differentially private releases"
    ),
    dataset = c(dataset_entry(dataset, call), counts),
    `dp-releases` = entries
  ))
}

json_schema <- "urn:psilence:releases:1"

json_fields <- list(
  n = "Number of rows, public", range = "Public lower and upper bound of the values",
  bins = "Texts that are counted, public", nBins = "Number of cells of equal width",
  depth = "Number of levels below the root", prob = "Share of rows below",
  probs = "Shares of rows below",
  k = "How many values, components or clusters", columns = "Names of the columns",
  variables = "Names of the columns",
  numSubsets = "Number of blocks of rows", innerFun = "Function of a block",
  groups = "The two groups", levels = "The classes, or the levels of each column",
  formula = "Response and terms", objective = "Model: logit, probit, poisson or ols"
)

# Describes a statistic and its inputs from its declaration.
descriptor <- function(statistic) {
  declared <- declaration_of(get(statistic, topenv()))
  kind <- function(types, fields) {
    if (!is.null(fields)) list(rTypes = I(types), fields = json_fields[fields])
  }
  list(
    statistic = json_name(sub("^dp", "", statistic)), description = declared$description,
    mechanisms = I(sub("^mechanism", "", declared$kinds$mechanism$choices)),
    variableTypes = list(
      numeric = kind(c("numeric", "integer"), declared$numbers),
      categorical = kind(declared$types, declared$others)
    )
  )
}

#' @rdname statistic_json
#' @export
meanGetJSON <- function() json_text(descriptor("dpMean"))

#' @rdname statistic_json
#' @export
histogramGetJSON <- function() json_text(descriptor("dpHistogram"))

#' @rdname statistic_json
#' @export
createJSON <- function() json_text(lapply(statistic_names(), descriptor))
