# Functions around the statistics, and mechanisms for user-defined answers. Every argument value is
# used or raises an error of the package, never one of base R.

valid_calls <- local({
  pair <- cbind(c(0.1, 0.2), 1e-8)
  numbers <- list(varType = "numeric", rng = c(0, 1), epsilon = 1)
  entries <- data.frame(a = c(2, 1), b = c(1, 2))
  list(
    update_parameters = list(params = pair, hold = 0, eps = 1, del = 1e-6),
    distributeEpsilon = list(globalEps = 1, nCalcs = 3),
    KOVhom = list(params = cbind(c(0.1, 0.1), 1e-8), d_g = 1e-5),
    KOVhet = list(params = pair, d_g = 1e-5),
    approxComp = list(params = pair, d_g = 1e-5),
    isDP = list(params = pair, d_g = 1e-5, e_g = 1),
    checkEpsilon = list(epsilon = 1),
    checkRange = list(rng = c(0, 1), varType = "numeric"),
    censorData = list(x = c(1, 2), varType = "numeric", rng = c(0, 1)),
    fillMissing = list(x = c(1, NA), varType = "numeric", imputeRng = c(0, 1)),
    coefficientRelease = list(formula = "a ~ b", release = entries, n = 10),
    release2json = list(release = mean_of()),
    laplaceGetAccuracy = list(sensitivity = 1, epsilon = 1),
    laplaceGetEpsilon = list(sensitivity = 1, accuracy = 1),
    stabilityGetAccuracy = list(sensitivity = 2, epsilon = 1),
    stabilityGetEpsilon = list(sensitivity = 2, accuracy = 10),
    histogramGetAccuracy = list(mechanism = "mechanismLaplace", epsilon = 1),
    histogramGetEpsilon = list(mechanism = "mechanismLaplace", accuracy = 1),
    meanGetCI = list(release = 1, epsilon = 1, sensitivity = 1),
    treeGetAccuracy = list(epsilon = 1, rng = c(0, 1), gran = 0.1),
    treeGetParameters = list(accuracy = 1, rng = c(0, 1), gran = 0.1),
    laplaceSimultaneousAccuracy = list(sensitivity = 1, epsilon = 1),
    dLap = list(x = 1), pLap = list(x = 1), qLap = list(p = 0.5),
    mechanismLaplace = numbers,
    mechanismGaussian = c(numbers, delta = 1e-6),
    mechanismSnapping = c(numbers, minB = 1),
    mechanismExponential = list(varType = "character", bins = c("a", "b"), epsilon = 1),
    mechanismStability = list(varType = "character", epsilon = 1, delta = 1e-6)
  )
})

odd_values <- list(
  NULL, NA, NaN, Inf, 0, -1, 1e-320, 2^53 + 2, 0.5, "a", character(), list(), c(1, 2, NA),
  factor("a"), TRUE, sum, as.Date("2020-01-01"), 1i, matrix(1:4, 2), data.frame(a = 1), y ~ x
)

arguments_of <- function(name) {
  if (startsWith(name, "mechanism")) mechanism_fields else setdiff(names(formals(name)), "...")
}

is_handled <- function(name, argument, value) {
  arguments <- valid_calls[[name]]
  arguments[argument] <- list(value)
  outcome <- tryCatch(
    suppressWarnings(do.call(name, arguments), classes = "dp_warning"),
    condition = identity
  )
  !inherits(outcome, "condition") || inherits(outcome, "dp_error")
}

test_that("D_R_9 any value of any argument is used or raises a documented error", {
  for (name in names(valid_calls)) {
    for (argument in arguments_of(name)) {
      handled <- vapply(odd_values, function(value) is_handled(name, argument, value), NA)
      expect_identical(odd_values[!handled], list(), label = paste(name, argument))
    }
  }
})
