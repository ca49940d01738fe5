# Releases of the installed package from the same random bytes, for tests/replay/run.sh. The
# serialized releases are equal, byte for byte. They do not depend on the number of threads, on
# earlier contents of the session's memory, or on the order of the rows. Prints a line for each
# family and fails if one of them differs.
#
#   Rscript --vanilla tests/replay/histories.R
#
# Each release runs in a fork of this process, so the random bytes start again at the same position.
#
# If rows are reordered, a release differs when row order decides which random bytes are used. A
# missing value uses the bytes at its position. Superfluous rows are dropped by position. Blocks
# consist of positions. Map keys get noise in hash-table order, before the kept keys are sorted. The
# law of a release is the same in any order, because bytes are drawn without looking at rows. Such
# families do not set `free`, which claims that order has no effect.
suppressMessages(library(PSIlence))
`%||%` <- rlang::`%||%` # nolint: object_name_linter.
enable_features("contrib", "honest-but-curious")
seed <- Sys.getenv("PSILENCE_REPLAY")
stopifnot(nzchar(seed))

# Enough rows to give every thread some. Each request creates its strings again.
rows <- 3e5
x <- (seq_len(rows) * 7919) %% 100003 / 1000
whole <- as.integer(x)
texts <- function() sprintf("key %03d", whole)
frame <- function() data.frame(x = x, y = rev(x), text = texts())
with_gaps <- function() transform(frame(), x = ifelse(whole == 7, NA, x))

of <- function(type) c(vector_domain(atom_domain(.T = type)), symmetric_distance())
floats <- of("f64") |> then_impute_constant(0) |> then_clamp(c(0, 100))
statistic <- function(generator, ..., epsilon = 0.5) {
  built <- suppressWarnings(
    generator(..., n = rows, epsilon = epsilon), classes = c("dp_warning_noise", "dp_warning_delta")
  )
  function(data) built$release(data)
}
column <- list(varType = "numeric", variable = "x", rng = c(0, 100))
mean_of <- function(...) do.call(statistic, c(dpMean, "mechanismLaplace", column, list(...)))
blocks_of <- function(...) {
  do.call(statistic, c(dpSampleAndAggregate, column, list(
    mechanism = "mechanismLaplace", numSubsets = 50, ...
  )))
}

family <- function(release, data = frame, free = TRUE) {
  list(release = release, data = data, free = free)
}
of_column <- function(measurement, name) {
  force(measurement)
  function(data) measurement(arg = data[[name]])
}
counted <- of("String") |> then_count_by()
families <- list(
  `exact sum` = family(of_column(floats |> then_lattice_sum() |> then_laplace(1e16), "x")),
  `sum of integers` = family(function(data) {
    sum <- of("i32") |> then_clamp(c(0L, 100L)) |> then_sum() |> then_gaussian(12.5)
    sum(arg = as.integer(data$x))
  }),
  count = family(of_column(floats |> then_count() |> then_laplace(2), "x")),
  `map with a threshold` = family(of_column(
    counted |> then_laplace_threshold(scale = 2, threshold = 900L), "text"
  ), free = FALSE),
  `counts of categories` = family(of_column(
    of("String") |> then_count_by_categories(sprintf("key %03d", 0:120)) |> then_laplace(2), "text"
  )),
  dpMean = family(mean_of()),
  `dpMean, dropping` = family(mean_of(missing = "drop"), with_gaps),
  `dpMean, imputing` = family(mean_of(), with_gaps, free = FALSE),
  dpVariance = family(do.call(statistic, c(dpVariance, "mechanismLaplace", column))),
  dpQuantile = family(do.call(statistic, c(dpQuantile, column, prob = 0.3, epsilon = 1e-5))),
  dpHistogram = family(do.call(statistic, c(dpHistogram, column, nBins = 20))),
  `dpHistogram, stability` = family(
    statistic(dpHistogram, varType = "character", variable = "text", delta = 1e-6), free = FALSE
  ),
  dpHeavyHitters = family(
    statistic(dpHeavyHitters, "mechanismStability", "character", "text", k = 3, delta = 1e-6),
    free = FALSE
  ),
  dpTree = family(function(data) {
    dpTree("numeric", "x", rows, 5, c(0, 100), globalEps = 1)$release(data)
  }),
  dpCovariance = family(function(data) {
    dpCovariance("mechanismLaplace", "numeric", rows, c("x", "y"),
      rng = list(c(0, 100), c(0, 100)), globalEps = 1
    )$release(data)
  }),
  `dpSampleAndAggregate, named` = family(
    blocks_of(innerFun = "median", aggregationFun = "Mean"), free = FALSE
  ),
  `dpSampleAndAggregate, function` = family(
    blocks_of(innerFun = function(x) mean(x, trim = 0.1), outputRange = c(0, 100),
      aggregationFun = "Median", gridPoints = 101
    ), free = FALSE
  )
)

# History that a fork goes through before it releases.
shuffled <- function(data) data[order((seq_len(rows) * 104729) %% 300007), ]
litter <- function() {
  kept <- lapply(seq_len(2e5), function(i) paste("in between", i))
  sprintf("key %03d", rev(seq_len(2000)))
  kept <- kept[c(TRUE, FALSE)]
  invisible(gc())
  (of("String") |> then_count_by())(arg = unlist(kept))
}
histories <- list(
  `two threads` = list(threads = 2), `four threads` = list(threads = 4),
  litter = list(before = litter), `rows in another order` = list(data = shuffled)
)

# Serialized release of one fork.
released <- function(family, history = list()) {
  in_fork <- parallel::mcparallel(mc.set.seed = FALSE, silent = TRUE, {
    do.call(Sys.setenv, list(PSILENCE_REPLAY = history$seed %||% seed))
    set_threads(history$threads %||% 1)
    (history$before %||% invisible)()
    serialize(family$release((history$data %||% identity)(family$data())), NULL)
  })
  bytes <- parallel::mccollect(in_fork)[[1]]
  if (!is.raw(bytes)) stop("no release: ", bytes)
  bytes
}
bad <- 0
for (name in names(families)) {
  family <- families[[name]]
  first <- released(family)
  tried <- if (family$free) histories else histories[names(histories) != "rows in another order"]
  same <- vapply(tried, function(history) identical(released(family, history), first), NA)
  # A comparison must be able to fail: different bytes give a different release.
  can_differ <- !identical(released(family, list(seed = "1234567")), first)
  bad <- bad + sum(!same) + !can_differ
  cat(name, ": ", if (all(same)) "equal" else toString(c("NOT equal", names(tried)[!same])),
    if (!family$free) " (rows in one order)", if (!can_differ) "; NEVER differs", "\n",
    sep = ""
  )
}
quit(status = if (bad == 0) 0 else 1)
