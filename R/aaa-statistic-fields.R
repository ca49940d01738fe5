# Fields of all statistics of one column, in the order of getFields().

common_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "n_check", "epsilon", "delta", "rng",
  "rngFormat", "alpha", "accuracy", "noiseDominates", "imputeRng", "sens", "input_metric", "d_in",
  "measurement"
)

# Extra fields of statistics with optional Gaussian noise, whose standard deviation is `sigma`.
gaussian_fields <- c("rho", "sigma")

# Extra fields of histograms.
histogram_fields <- c(
  "bins", "nBins", "granularity", "missing", "imputeBins", "impute", "binWidth", "origin",
  "other", "closed", "nBoot", "snapping", "threshold"
)

# Extra fields of a covariance matrix, which has several columns.
covariance_fields <- c(
  "mechanism", "name", "variable", "columns", "varType", "n", "n_check", "epsilon", "globalEps",
  "epsilonDist", "delta", "rng", "rngFormat", "alpha", "accuracy", "accuracyVals",
  "noiseDominates", "imputeRng", "missing", "intercept", "formula", "levels", "contrasts", "ridge",
  "meanEpsilon", "weights", "sens", "snapping", "input_metric", "d_in", "measurement"
)

# Fields of a generalized linear model.
glm_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "n_check", "epsilon", "delta", "rng",
  "rngFormat", "alpha", "accuracy", "noiseDominates", "imputeRng", "missing", "formula",
  "objective", "intercept", "levels", "contrasts", "nBoot", "lambda", "inference",
  "inferenceShare", "vcov", "weights", "input_metric", "d_in", "measurement"
)

# Fields of a linear model.
lm_fields <- setdiff(glm_fields, c("objective", "nBoot", "lambda", "inference", "inferenceShare"))

# Fields that statistics with formulas share.
formula_fields <- c("formula", "intercept", "levels", "contrasts", "vcov", "weights")
correlation_fields <- append(setdiff(lm_fields, formula_fields), "columns", 3)
pca_fields <- append(correlation_fields, c("k", "scale"), 4)

# Fields of statistics of two groups.
difference_fields <- append(correlation_fields[-4], c("group", "groups", "groupSizes"), 4)
classes_fields <- append(setdiff(lm_fields, formula_fields[-1]), "levels", 3)
kmeans_fields <- append(setdiff(correlation_fields, "missing"), c("k", "iterations"), 5)

# Fields of contingency tables.
contingency_fields <- c(
  "mechanism", "name", "variable", "variables", "varType", "levels", "margins", "design", "n",
  "n_check", "epsilon", "delta", "rng", "rngFormat", "alpha", "accuracy", "noiseDominates",
  "missing", "imputeRng", "other", "input_metric", "d_in", "measurement"
)

# Collects the shared fields. `args` have their canonical forms.
statistic_fields <- function(name, args, loss, sens, measurement) {
  common <- c(
    "mechanism", "varType", "variable", "n", "n_check", "alpha", "rng", "imputeRng"
  )
  fields <- c(args[common], loss, list(
    name = name, delta = 0, rngFormat = "vector", sens = sens, noiseDominates = FALSE,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  ))
  stats::setNames(fields[common_fields], common_fields)
}

# Active bindings for the fields of a plan. They are read-only: an edited field would make the
# reported plan differ from the executed one.
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
