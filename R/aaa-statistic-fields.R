# The fields that all statistics of one column have, in the order in which getFields() gives them.

common_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "n_check", "epsilon", "delta", "rng",
  "rngFormat", "alpha", "accuracy", "noiseDominates", "imputeRng", "sens", "input_metric", "d_in",
  "measurement"
)

# Those of histograms on top.
histogram_fields <- c(
  "bins", "nBins", "granularity", "missing", "imputeBins", "impute", "binWidth", "origin",
  "other", "nBoot", "snapping", "threshold"
)

# Those of a covariance matrix, whose column is many.
covariance_fields <- c(
  "mechanism", "name", "variable", "columns", "varType", "n", "n_check", "epsilon", "globalEps",
  "epsilonDist", "delta", "rng", "rngFormat", "alpha", "accuracy", "accuracyVals",
  "noiseDominates", "imputeRng", "missing", "intercept", "formula", "ridge", "meanEpsilon", "sens",
  "snapping", "input_metric", "d_in", "measurement"
)

# Those of a generalized linear model.
glm_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "n_check", "epsilon", "delta", "rng",
  "rngFormat", "alpha", "accuracy", "noiseDominates", "imputeRng", "missing", "formula",
  "objective", "intercept", "nBoot", "lambda", "input_metric", "d_in", "measurement"
)

statistic_mechanisms <- "mechanismLaplace"
snapping_mechanisms <- c(statistic_mechanisms, "mechanismSnapping")
statistic_types <- c("numeric", "integer", "logical")

# What a statistic says of itself without being built: what it is, the mechanisms that it can be
# released by, the one by default first, and the names of what it wants to know of columns of
# numbers and of other columns, whose R types are `types`; NULL if it takes none of the kind.
declared <- function(description, mechanisms, numbers = NULL, others = NULL, types = "logical") {
  list(
    description = description, mechanisms = mechanisms, numbers = numbers, others = others,
    types = types
  )
}

declaration_of <- function(generator) environment(generator)$declared

# The mechanism of the arguments, in its canonical form, if the statistic has it.
check_mechanism_of <- function(generator, mechanism, call) {
  check_name(mechanism, declaration_of(generator)$mechanisms, "mechanism", call)
}

# The arguments that all statistics of one column take, in canonical form.
check_common <- function(args, generator, call) {
  varType <- check_name(args$varType, statistic_types, "varType", call)
  common <- list(
    mechanism = check_mechanism_of(generator, args$mechanism, call),
    varType = varType,
    variable = check_string(args$variable, arg = "variable", call = call),
    n = check_positive_whole(args$n, "n", call),
    n_check = check_name(args$n_check, row_checks, "n_check", call),
    rng = check_range(args$rng, varType, call),
    alpha = as.double(check_probability(args$alpha, arg = "alpha", call = call))
  )
  c(common, list(imputeRng = check_impute_range(args$imputeRng, common$rng, varType, call)))
}

statistic_fields <- function(name, common, loss, sens, measurement) {
  fields <- c(common, loss, list(
    name = name, delta = 0, rngFormat = "vector", sens = sens, noiseDominates = FALSE,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  ))
  fields[common_fields]
}

# Active bindings for the fields of a plan. They can be read only: a field that could be edited
# after it was checked would make what is reported differ from what is done.
plan_fields <- function(names) {
  lapply(stats::setNames(nm = names), function(name) {
    field <- function(value) NULL
    body(field) <- bquote(read_only(private$.plan$fields[[.(name)]], value, .(name)))
    field
  })
}

read_only <- function(current, value, field) {
  if (!missing(value)) {
    stop_dp("`{field}` cannot be changed: build another statistic.", "invalid_argument",
      argument = field, call = NULL
    )
  }
  current
}
