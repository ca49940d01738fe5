#' Differentially private sample and aggregate
#'
#' `dpSampleAndAggregate()` plans a release of the aggregate of any function on random blocks of
#' rows. It splits the rows into blocks, computes the function on each, and aggregates the results
#' privately. One row changes few block results, whatever the function does; the guarantee needs
#' nothing else. Building the plan reads no data. Each call of `release()` spends `epsilon`, or
#' `rho`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. If rows can
#' be added or removed, `n` is private, and all schemes except `"labels"` reveal it. With
#' `"labels"`, neighbours differ by one row added or removed, and `n` is a guess that only scales
#' the report.
#'
#' With probability `1 - alpha`, the release is within `accuracy` of the aggregate *of the block
#' results* on the data as used: values are clamped to `rng`, and rows without a value are dropped.
#' Accuracy does not cover sampling error, or the bias of small blocks compared with the function of
#' all data.
#'
#' `dpSampleAndAggregate(...)` and `dpSampleAndAggregate$new(...)` do the same.
#'
#' @inheritParams dpMean
#' @param innerFun (`character(1)`, `function` or `formula`) Function of one block, public.
#'   `"mean"`, `"median"` or `"var"` (divisor m - 1), in any letter case. An R function gets the
#'   rows of a block in random order: a `numeric` vector, or a data frame if there are several
#'   columns. A formula gives the coefficients of [stats::lm()] on a block. If there are several
#'   results, each is released with an equal share of `epsilon`.
#' @param variable (`character`) Names of the columns, public.
#' @param rng (`numeric(2)`, or a list of these for several columns) Lower and upper bounds, public,
#'   in the unit of the column. A list is named after the columns, or in their order. Values outside
#'   are clamped.
#' @param imputeRng (as `rng`) Ranges of the uniform draws that replace missing values, if
#'   `missing = "impute"`.
#' @param aggregationFun (`dp_aggregator` or `character(1)`) Aggregate of the block results. Make it
#'   with [aggregator_mean()] and similar functions, including its arguments. Or name it, in any
#'   letter case, and pass its arguments separately: `"Mean"`; `"WinsorizedMean"`, for ranges that
#'   are wider than necessary; `"TrimmedMean"` and `"Median"`, which are robust to a few bad blocks;
#'   `"Quantile"`; or `"Mode"`, the most frequent of declared `outcomes`. If `NULL`, public numbers
#'   choose it, see the section on choices.
#' @param numSubsets (whole number) Number of blocks k, at most `n` (`n / 2` for `"var"`) in each
#'   partition, and at least 2 except for `"Mean"`. If `NULL`, public numbers choose it, see the
#'   section on choices. For other rules see [sampleAggregateBlocks()].
#' @param innerFunSens (`numeric` or `NULL`) Sensitivity of an R function's results to one row, if
#'   you promise that it is less than the width of `outputRange`. It counts as at least half of that
#'   width, because a failing block moves its result that far. Results name it as `unverified`. It
#'   needs the feature `"honest-but-curious"` and works only with `"Mean"`. For the named functions
#'   it follows from the other arguments: give `NULL`, or that number.
#' @param aggregationFunSens (`numeric` or `NULL`) Sensitivity of the aggregate. It follows from the
#'   other arguments: give `NULL`, or that number.
#' @param subsetSize (whole number) Number of rows in each subset, for the scheme `"subsets"`.
#'   Otherwise it follows from the other arguments: give `NULL`, or that number.
#' @param outputRange (`numeric(2)`, or a matrix of two columns or a list with a pair for each
#'   result) Bounds of an R function's results, public and required. Results outside are clamped,
#'   and any failure counts as the middle. Row names become the names of the release, and results
#'   with the same names are matched by them. Coefficients of a formula must be matched if there are
#'   names: the names of its columns, and any other name for the constant.
#' @param accuracy (`numeric(1)` or `NULL`) Target accuracy: the noise exceeds it with probability
#'   `alpha`. In the unit of the block results (for `"var"`, the square of the column's unit). Used
#'   only without `epsilon`, for the `"Mean"` of a single result.
#' @param prob (`numeric(1)`) Share of block results below the quantile, for `"Quantile"`.
#' @param trim (`numeric(1)`) Share of block results left out at each end, below one half, for
#'   `"TrimmedMean"`.
#' @param outcomes (`character` or `numeric`) Results that count, for `"Mode"`. A block with another
#'   result has no vote.
#' @param gridPoints (whole number) Number of candidates, equally spaced in `outputRange`, for
#'   quantiles and `"WinsorizedMean"`.
#' @param rangeMode (`character(1)`) Range of the results, for `"Mean"`: `"tight"`, `"loose"` or
#'   `"helper"`. Use `"loose"` if `outputRange` is wider than the results: half of `epsilon` then
#'   finds their quartiles, and results are clamped to these before averaging. Use `"helper"` if the
#'   range of the data determines the range of the results, see `rangeHelper`.
#' @param intervalShare (`numeric(1)`) Superseded by `interval`, which needs no share. Share of
#'   `epsilon`, from 0 to below 1, for the variance of block results, with the `"Mean"` of disjoint
#'   blocks. It gives an interval that also covers sampling.
#' @param scheme (`dp_scheme` or `character(1)`) Scheme of the blocks. Make it with
#'   [scheme_partition()] and similar functions, or name it. `"partition"`: disjoint blocks whose
#'   sizes differ by at most one. `"resampled"`: `overlap` independent partitions, `numSubsets`
#'   blocks in total. `"subsets"`: `numSubsets` sets of `subsetSize` rows, each drawn without
#'   replacement. `"labels"`: each row independently chooses its block.
#' @param overlap (whole number) Number of partitions, for `"resampled"`.
#' @param timeLimit (`numeric(1)` or `NULL`) Elapsed seconds for a block. With a limit, each block
#'   has a separate child process, which is stopped at the limit; the result then counts as a
#'   failure. If the system has no fork, as on Windows, this needs package callr.
#' @param rangeHelper (`function`) Public rule for `rangeMode = "helper"`, instead of `outputRange`.
#'   It maps ranges of the columns, in the form of `rng` (with names, if there are several), to an
#'   `outputRange`. Half of `epsilon`, in equal shares for all columns, finds the quartiles of each
#'   among `gridPoints` candidates in `rng`. The rule turns these into the range that clamps the
#'   results, and the other half of `epsilon` pays for the mean. The field `outputRange` is the
#'   rule's result for `rng`. It is used if the rule fails in a release.
#' @param isolation (`character(1)`) Isolation of an R function: `"hermetic"` or `"none"`. With
#'   `"none"`, you promise that its result for a block depends only on that block and that it
#'   reveals nothing else; it can then keep state between blocks. Results name it as `unverified`.
#'   `"none"` needs the feature `"honest-but-curious"`.
#' @param failureShare (`numeric(1)`) Share of `epsilon`, from 0 to below 1, for the number of
#'   failed blocks, with an R function without a `rangeHelper`. Without it, nothing shows that a
#'   function fails on the private rows: the release is near the middle of `outputRange`. With a
#'   `"Mean"`, `failures = "drop"` counts failures without a share. Tests on public data need no
#'   budget: see [dry_run()], and the section on a trial.
#' @param n_check (`character(1)`) Rule for data whose number of rows differs from `n`. With
#'   `"refuse"`, `release()` raises an error. With `"resize"`, it drops rows at random or adds rows
#'   without a value. With the scheme `"labels"`, the number is private and never checked.
#' @param failures (`character(1)` or `NULL`) Rule for failed blocks. With `"middle"` or `NULL`,
#'   their results count as the middle of `outputRange`. `"drop"` leaves them out, for a `"Mean"`,
#'   which then also counts them, a `"Median"` or a `"Quantile"`. It is for your R functions, and
#'   for the scheme `"labels"`, whose empty blocks fail. See the section on joint releases.
#' @param interval (`character(1)` or `NULL`) Kind of interval: `"noise"` or `NULL`, or
#'   `"population"` for the `"Mean"` of two or more disjoint blocks. Results then have
#'   `blockVariance` and `samplingInterval`, an interval for the target of the block estimates, at
#'   no share of `epsilon`. See the section on joint releases.
#' @param missing (`character(1)`) Rule for rows that lack a value of `variable`. With `"drop"`,
#'   blocks have only complete rows. `"impute"` draws values from `imputeRng`. The default is
#'   `"impute"` if you give `imputeRng`, and `"drop"` otherwise. `NULL`, in plans that were saved
#'   before this argument existed, means `"impute"`.
#' @param score (`character(1)`) Rule that compares candidates, for `"Median"` and `"Quantile"`, as
#'   in [dpQuantile()]. With `"nearest"`, each result counts at its nearest candidate. With
#'   `"balance"`, the rule of older plans, the release can be any candidate in `outputRange` if most
#'   results are between two candidates.
#' @returns An R6 object of class `dpSampleAndAggregate`, with the methods and fields of [dpMean()],
#'   the other arguments as fields, and
#'
#' * `subsetSize`, `subsetSizes`: size of the smallest block, and all sizes.
#' * `innerFunSens`: D, the largest change of a block result by one row. Let R be the width of `rng`
#'   and m the size of the smallest block. For a tight mean, D is R/m, R and R^2/m for mean, median
#'   and variance. With `"labels"`, blocks can be empty, and D is R/2 for mean and median. Otherwise
#'   D is the width of `outputRange`, or the number that you promised, but at least half the width.
#'   A variance of labelled rows can change by its whole range when a block of one row gets a second
#'   row.
#' * `overlap`: J, the largest number of blocks that contain a row: 1 except for `"resampled"` and
#'   `"subsets"`. Subsets are drawn when you build the object, and J applies to these subsets.
#' * `aggregationFunSens`, `sens`: J D / k, the largest change of the mean of the results.
#' * `outputRange`: range of the block results.
#' * `noiseAccuracy`: equal to `accuracy`, which covers only noise. For quantiles and the mode, it
#'   is in blocks: ranks or votes. `NA` if it is not known before a release.
#'
#'   `result` has `release` and further elements. Means add `interval`, which covers noise.
#'   `intervalShare` or `interval = "population"` adds `blockVariance` and `samplingInterval`.
#'   For winsorized means, it has `clampedTo`, the found interval, which determines `accuracy`. A
#'   `rangeHelper` adds `inputRange`, the quartiles, and `outputRange`, the found range, which
#'   determines `accuracy`. In both cases, `interval` is for results clamped to the found range.
#'
#'   `failureShare` adds `nFailed`, the noisy number of failed blocks, from 0 to `numSubsets`. With
#'   probability `1 - alpha`, its error is at most `nFailedAccuracy`. It also adds `share_failed`,
#'   the noisy share, and `status`: `"ok"`, or `"failed"` if more than half of the blocks failed.
#' @section How it works: Let J be the number of blocks that one row changes, each by at most D. The
#'   mean has discrete Laplace noise of scale J D / (k epsilon). Permute-and-flip selects quantiles
#'   and the mode, with scale 2 J / epsilon in blocks. The score of a quantile candidate is the
#'   distance between the target rank and the ranks of the results nearest to it, see
#'   [dpQuantile()]. For `score = "balance"` see [make_private_quantile()], and for the mode
#'   [make_noisy_max()].
#'
#'   The winsorized mean spends a quarter of epsilon on each quartile of the results, q and r. It
#'   clamps the results to (q + r)/2 -+ 4 k^(1/3 + 1/10) |r - q|, releases this interval, and spends
#'   half of epsilon on the mean. Both quartiles use the score `"balance"`. If all results are
#'   between two candidates, the interval and the noise are wide, but the interval contains the
#'   results; `accuracy` shows the width.
#'
#'   The trimmed mean has noise with density `(1 + z^2)^(-3/2) / 2` and scale 3 J S / epsilon. S is
#'   the smooth sensitivity for beta = epsilon / (4 J). A shift by s and a stretch by exp(beta) of
#'   this law cost 3/2 s + 2 beta. S is never released. The core draws all noise and computes all
#'   sums, exactly.
#'
#'   With a `failureShare` f, each block has one more result: 1 if it failed, and 0 otherwise. J
#'   blocks can change it by 1. The number of failed blocks has discrete Laplace noise of scale J /
#'   (f epsilon), in the same measurement. Its loss is the sum of all parts, and (1 - f) epsilon
#'   remains for the others. A block fails if its function fails, returns a different number of
#'   results than declared, or returns a missing result. With `"Mode"`, it also fails if its vote is
#'   not among `outcomes`.
#'
#'   With `intervalShare`, `samplingInterval` has the same target as with `interval`. It uses the
#'   sum of the noise and a normal number with variance t^2 v / k, which lies beyond the ends with
#'   probability 4/5 alpha. Here v is `blockVariance`, increased by the most that noise hides with
#'   probability 1 - alpha / 5. The factor t allows for few blocks, as Student's law does.
#' @section Joint releases: A `"Mean"` with `failures = "drop"` or `interval = "population"` comes
#'   from noisy sums in one measurement. Let P be the number of results, u the distance of a result
#'   from the middle of its range in half-widths, and s = J / `epsilon`. The discrete Laplace noise
#'   has scale
#'
#'   * 2 P s on each sum of u, as for a mean alone;
#'   * 4 P s on each sum of u^2, for `"population"`, or 8 P s with `"drop"`;
#'   * 2 s on the number of blocks that worked, with `"drop"`, or 8/3 s with `"population"`.
#'
#'   Together they lose `epsilon`. If u replaces u', |u - u'| + |u + u'| <= 2, so sums move much
#'   only if squares hardly do. A failing block moves sums by at most half of the largest change. So
#'   count and squares are free. D is then the width of `outputRange`, even for named functions: for
#'   the mean of a column use [dpMean()].
#'
#'   With `"drop"`, a block fails if any of its results fails. The release is the noisy sum over the
#'   noisy number of blocks that worked. It is over all blocks if noise can explain the difference
#'   (less than log(10) scales). `nFailed` is the number of other blocks; its error from noise is at
#'   most `nFailedAccuracy` with probability `1 - alpha`. `status` is `"ok"`, or `"failed"` if noise
#'   hides whether any block worked; `release` is then `NA`. Noise in the number matters if results
#'   lie far from the middle. `accuracy` of a result accounts for it; `accuracy` of the object
#'   applies if no block fails.
#'
#'   For `"Median"` and `"Quantile"`, only the blocks that worked count, and only a `failureShare`
#'   shows their number. A `"Quantile"` then has 2 max(`prob`, 1 - `prob`) times the noise, because
#'   a failing block leaves one side and joins neither.
#'
#'   `samplingInterval` is computed as for a mean whose rows are the blocks that worked, see
#'   [dpMean()]. It combines Student's interval and noise, with a variance that noise rarely makes
#'   too small. It covers the target of the block estimates with probability `1 - alpha` if there
#'   are enough blocks for a normal law. It does not cover the bias of small blocks.
#' @section Gaussian noise: Like [dpMean()], for a `"Mean"` without `failureShare`, `intervalShare`,
#'   `failures = "drop"` or an interval for the population. One row changes J of k blocks, with P
#'   results each. Each result has noise of standard deviation J D sqrt(P) / (k sqrt(2 rho)), where
#'   D is the largest change of that result by one block.
#' @section What is chosen: Public numbers choose `aggregationFun` or `numSubsets` if you leave them
#'   `NULL`. A message of class `dp_message_chosen` gives the choice and the reason, and the fields
#'   hold it. The plan is the same as if you had given the chosen value.
#'
#'   Let e be the `epsilon` of one result and J the `overlap`. `aggregationFun` is `"Median"` if e k
#'   / J >= 6 log(`gridPoints`), and `"Mean"` otherwise. The noise of a median does not grow with
#'   the width of `outputRange`, but below this limit it can select any candidate. With 1001
#'   candidates and e k / J from 33 to 45, the other choice can have half the error. That depends on
#'   the width of the range relative to the results, which is private. The choice is always `"Mean"`
#'   for `"mean"` and `"var"`, because one row moves their results little, and if another argument
#'   is only for means. For asymmetric results, median and mean differ.
#'
#'   For `"Median"`, `"Quantile"` and `"Mode"`, `numSubsets` is J times floor(max(20, min(n / 10, 60
#'   / e))), at most J n. So e k / J is 60 if there are enough rows. For other aggregates it is J
#'   times floor(sqrt(n)). The scheme `"subsets"` requires `numSubsets`.
#' @section Missing values: With `missing = "drop"`, all `n` rows are first assigned to blocks; then
#'   rows that lack a value leave their block. So one replaced row still changes at most J blocks.
#'   The number of rows left in a block is private. An empty block fails. D changes:
#'
#'   * R functions: the width of `outputRange`, as before; `innerFunSens` must be `NULL`.
#'   * `"median"`: R, as before.
#'   * `"mean"`: R/c, with c half the rows of the smallest block, rounded up. If a block has fewer
#'     than c rows left, the missing ones up to c count as the middle of `rng`. So if most values
#'     are missing, the release moves to the middle of `rng`; [dpMean()] avoids this.
#'   * `"var"`: the width of the range of its results.
#'
#'   A mean or a variance has less noise with `missing = "impute"`, which is right if nothing is
#'   missing. [dpMean()] and [dpVariance()] have less noise than either. Notes below a result
#'   explain how blocks with too few rows count. They also say that the number of failed blocks is
#'   not released, unless it is. If noise does not explain all failures, a result gives their
#'   number.
#' @section A trial: When you build a plan, an R function first runs on four blocks of public rows.
#'   They are uniform draws from `rng`, the same each time, and half of the blocks are rounded to
#'   whole numbers. Blocks have at most 10,000 rows. If the function fails on more than half of
#'   them, building the plan raises an error that shows the function's error. No private rows are
#'   read. After two seconds, only two blocks are tried. There is no trial if the release counts
#'   failures: with a `failureShare`, or a mean with `failures = "drop"`. A vote outside `outcomes`
#'   does not count as a failure here.
#' @section An R function of your own: Your function is *sealed* when you pass it. It keeps copies
#'   of the variables that it names, of the variables that functions among these name, and so on. It
#'   keeps nothing else of its environment, so it does not carry data into files. If it names a data
#'   frame, or an object of more than 1 MiB, an error is raised. Names that it builds at run time
#'   are looked up in the global environment.
#'
#'   Your session calls it on one block after another. It cannot reach your handlers or restarts,
#'   and its conditions, output and plots are not shown. Before the next block, the variables that
#'   it changed are restored, even in the global environment. R's generators, options, the working
#'   directory and the search path are restored, too. Its result is a numeric vector without a class
#'   (or a table, or for votes a factor or a string); any other result is a failure of that block
#'   only. Run time, files, environment variables and state of packages are not protected, and code
#'   written to evade these measures can do so.
#'
#'   With `timeLimit`, each block runs in a separate process, and only the result returns. If you
#'   have set up daemons of package mirai, or a plan of package future other than `sequential`,
#'   blocks run there: see [block_workers].
#'
#'   A child process is a fork of your session. On a system without fork, package callr starts a new
#'   R session while the previous block runs (this start does not count as time of the block). The
#'   new session gets the objects that the function can see: attached packages, options that are
#'   plain vectors, the state of R's generator, all functions of the global environment, and the
#'   objects that are named in them or in your function. Objects that cannot be saved to a file,
#'   such as a connection, and changed namespaces are not passed. Rows are passed through the folder
#'   of temporary files.
#' @inheritSection dpMean Errors
#' @section Error of a promise: `dp_error_missing_feature` if `innerFunSens` is declared for an R
#'   function, or `isolation` is `"none"`, and the feature `"honest-but-curious"` is not enabled.
#' @section Error of a missing package: `dp_error_missing_package` if `timeLimit` is given, the
#'   system has no fork, and package callr is not installed; for a release on workers see
#'   [block_workers].
#' @inheritSection dpMean Warnings
#' @references Nissim, Raskhodnikova and Smith (2007), *Smooth Sensitivity and Sampling in Private
#'   Data Analysis*, section 4; Smith (2011), *Privacy-Preserving Statistical Estimation with
#'   Optimal Convergence Rates*; Mohan, Thakurta, Shi, Song and Culler (2012), *GUPT: Privacy
#'   Preserving Data Analysis Made Easy*; Bun and Steinke (2019), *Average-Case Averages: Private
#'   Algorithms for Smooth Sensitivity and Mean Estimation*; Bun and Steinke (2016), *Concentrated
#'   Differential Privacy: Simplifications, Extensions, and Lower Bounds*; Canonne, Kamath and
#'   Steinke (2020), *The Discrete Gaussian for Differential Privacy*.
#' @examples
#' median_income <- dpSampleAndAggregate(
#'   innerFun = "median", aggregationFun = "Mean", numSubsets = 1000, variable = "income",
#'   n = 10000, rng = c(0, 750000), epsilon = 0.1
#' )
#' median_income$accuracy
#' median_income$release(PUMS5extract10000)
#'
#' trimmed <- dpSampleAndAggregate(
#'   innerFun = function(x) mean(x, trim = 0.1), outputRange = c(0, 100000),
#'   aggregationFun = aggregator_median(), numSubsets = 200, variable = "income", n = 10000,
#'   rng = c(0, 750000), epsilon = 0.5
#' )
#' trimmed$release(PUMS5extract10000)
#'
#' line <- dpSampleAndAggregate(
#'   innerFun = income ~ educ, outputRange = rbind(constant = c(-1e5, 1e5), educ = c(-2e4, 2e4)),
#'   numSubsets = 50, variable = c("income", "educ"), n = 10000,
#'   rng = list(c(0, 200000), c(1, 16)), epsilon = 1
#' )
#' line$release(PUMS5extract10000)$release
#'
#' helped <- dpSampleAndAggregate(
#'   innerFun = median, rangeMode = "helper", rangeHelper = identity, numSubsets = 200,
#'   variable = "income", n = 10000, rng = c(0, 750000), epsilon = 0.5
#' )
#' helped$release(PUMS5extract10000)
#'
#' # A function that fails on some blocks, which are left out and counted.
#' careful <- dpSampleAndAggregate(
#'   innerFun = function(x) if (max(x) > 3e5) stop("too rich") else median(x),
#'   outputRange = c(0, 50000), aggregationFun = "Mean", failures = "drop", interval = "population",
#'   numSubsets = 500, variable = "income", n = 10000, rng = c(0, 750000), epsilon = 1
#' )
#' careful$release(PUMS5extract10000)
#' @export
dpSampleAndAggregate <- new_statistic("dpSampleAndAggregate",
  "Mean of a function of blocks of rows",
  "any other estimate that an R function makes of a sample of rows",
  arguments = function(innerFun, aggregationFun = NULL, mechanism = "mechanismLaplace",
                       numSubsets = NULL, varType = "numeric", variable, n, innerFunSens = NULL,
                       aggregationFunSens = NULL, subsetSize = NULL, rng = NULL, epsilon = NULL,
                       accuracy = NULL, imputeRng = NULL, alpha = 0.05, outputRange = NULL,
                       prob = 0.5, trim = 0.25, outcomes = NULL, gridPoints = 1001,
                       rangeMode = "tight", intervalShare = 0, scheme = "partition", overlap = 1,
                       timeLimit = NULL, rangeHelper = NULL, isolation = "hermetic",
                       failureShare = 0, ..., n_check = "refuse", failures = NULL,
                       interval = NULL, rho = NULL, delta = NULL, missing = c("drop", "impute"),
                       score = c("nearest", "balance")) {
  },
  required = c("innerFun", "variable", "n", "rng", "epsilon"),
  or = list(epsilon = c("accuracy", "rho")),
  takes = sample_aggregate_kinds,
  plan = function(...) plan_sample_and_aggregate(...),
  fields = c(
    common_fields, "innerFun", "aggregationFun", "numSubsets", "subsetSize", "subsetSizes",
    "innerFunSens", "aggregationFunSens", "outputRange", "overlap", "noiseAccuracy", "scheme",
    "prob", "trim", "outcomes", "gridPoints", "rangeMode", "intervalShare", "timeLimit",
    "rangeHelper", "isolation", "failureShare", "failures", "interval", gaussian_fields, "missing"
  ),
  later = c("missing", "score"),
  numbers = c("n", "range", "numSubsets", "innerFun"), others = c("n", "numSubsets", "innerFun")
)

# The three named functions of one column in a partition, and their mean, have a chain of their own,
# in exact integers. All others go through R.
plan_sample_and_aggregate <- function(args, call) {
  args <- check_aggregate(with_mechanism(args, call), call)
  plan <- if (is_exact_aggregate(args)) plan_named_aggregate else plan_any_aggregate
  with_chosen_mechanism(c(plan(args, call), list(chosen = args$chosen)), args)
}
