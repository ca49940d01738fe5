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

# Entries of a release in JSON ---------------------------------------------------------------------

dataset_entry <- function(dataset, call) {
  entry <- list(
    description = "", unitOfAnalysis = "row", structure = "unknown", dataSource = NULL,
    citation = list(name = "")
  )
  if (!is.list(dataset) || !all(rlang::names2(dataset) %in% names(entry))) {
    stop_argument(paste("a list of any of", toString(names(entry))), "another", "dataset", call)
  }
  entry[names(dataset)] <- dataset
  entry
}

release_entry <- function(statistic, name, batch) {
  fields <- statistic$getFields()
  result <- unclass(fields$result)
  targets <- as.list(covers_of(fields$result))
  attributes(result) <- list(names = names(result))
  loss <- loss_entry(fields)
  if (!is.null(result$unverified)) loss$unverified <- I(result$unverified)
  told <- c(
    "release", "variable", "accuracy", "epsilon", "rho", "delta", "mechanism", "globalEps", "n",
    "unverified"
  )
  list(
    statistic = json_name(sub("^dp", "", class(statistic)[[1]])),
    variables = I(as.character(name %||% fields$variable)),
    releaseInfo = list(
      mechanism = sub("^mechanism", "", fields$mechanism), releaseValue = result$release
    ),
    privacyLoss = loss,
    # The result has the accuracy if it depends on the release.
    accuracy = list(accuracyValue = result$accuracy %||% fields$accuracy, alpha = fields$alpha),
    batch = batch, nodeId = batch - 1,
    algorithmInfo = Filter(Negate(is.null), list(
      name = fields$name, plan = plan_hash(statistic), cite = json_sources[[fields$mechanism]],
      argument = argument_entry(fields)
    )),
    postprocess = c(
      result[setdiff(names(result), told)], if (length(targets) > 0) list(covers = targets)
    )
  )
}

loss_entry <- function(fields) {
  if (!is.null(fields$rho)) {
    return(list(name = "zCDP", rho = exact_number(fields$rho)))
  }
  epsilon <- exact_number(fields$globalEps %||% fields$epsilon)
  if (fields$delta == 0) {
    return(list(name = "pure", epsilon = epsilon))
  }
  list(name = "approx dp", epsilon = epsilon, delta = exact_number(fields$delta))
}

# Converts names: SampleAndAggregate to sampleAndAggregate, GLM to glm.
json_name <- function(name) {
  if (toupper(name) == name) tolower(name) else sub("^(.)", "\\L\\1", name, perl = TRUE)
}

json_sources <- list(
  mechanismLaplace = "Dwork, McSherry, Nissim and Smith (2006)",
  mechanismGaussian = "Bun and Steinke (2016)",
  mechanismSnapping = "Mironov (2012)",
  mechanismExponential = "McKenna and Sheldon (2020)",
  mechanismStability = "Bun, Nissim and Stemmer (2016)",
  mechanismObjective = "Chaudhuri, Monteleoni and Sarwate (2011)"
)

# Leaves out `n_check` if the number of rows is private, and `missing` if there is no choice.
argument_entry <- function(fields) {
  entry <- list(
    n = fields$n, constraint = range_entry(range_used(fields)), varType = fields$varType
  )
  entry$n_check <- written_row_check(fields$n_check)
  entry$missing <- fields$missing
  entry
}

# Declared range, or else the found one.
range_used <- function(fields) {
  if (!is_to_find(fields$rng)) {
    return(fields$rng)
  }
  bounds <- fields$result$bounds
  ranges <- unname(Map(c, bounds$lower, bounds$upper))
  if (asks_for_bounds(fields$rng)) {
    ranges[[1]]
  } else {
    replace(fields$rng, places_to_find(fields$rng), ranges)
  }
}

range_entry <- function(rng) {
  if (is.list(rng)) lapply(rng, range_entry) else list(lowerbound = rng[1], upperbound = rng[2])
}

json_text <- function(x) {
  jsonlite::toJSON(x,
    auto_unbox = TRUE, digits = I(15), null = "null", na = "null", pretty = TRUE,
    json_verbatim = TRUE
  )
}

# Writes a double with the 17 digits that restore it: a loss must not become smaller.
exact_number <- function(x) structure(sprintf("%.17g", x), class = "json")
