# Entries of a release in JSON.

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
