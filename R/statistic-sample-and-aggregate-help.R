#' R functions of blocks
#'
#' [dpSampleAndAggregate()] takes your own R function. It copies the variables that the function
#' uses, tries it on public rows, and runs it on one block after another. A failure in
#' a block is not an error, because it would tell about private rows.
#'
#' @section What a function keeps and changes: Your function is *isolated* when you pass it. It
#'   keeps copies of the variables that it names, of the variables that functions among these name,
#'   and so on. It keeps nothing else of its environment, so it does not carry data into files. An
#'   error is raised if it names a data frame, or an object of more than 1 MiB. Names that it builds
#'   at run time are looked up in the global environment.
#'
#'   Your session calls it on one block after another. It cannot reach your handlers or restarts,
#'   and its conditions, output and plots are not shown. Before the next block, the variables that
#'   it changed are restored, even in the global environment. R's generators, options, the working
#'   directory and the search path are restored, too. Its result is a numeric vector without a class
#'   (or a table, or for votes a factor or a string). Any other result is a failure of that block
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
#' @section A trial: When you build a plan, an R function first runs on four blocks of public rows.
#'   They are uniform draws from `rng`, the same each time, and half of the blocks are rounded to
#'   whole numbers. Blocks have at most 10,000 rows. If the function fails on more than half of
#'   them, building the plan raises an error that shows the function's error. No private rows are
#'   read. After two seconds, only two blocks are tried. There is no trial if the release counts
#'   failures: with a `failureShare`, or a mean with `failures = "drop"`. A vote outside `outcomes`
#'   does not count as a failure here.
#' @seealso [dry_run()] to test a plan on public data, [block_workers]
#' @examples
#' trim <- 0.1
#' trimmed <- dpSampleAndAggregate(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 0.5,
#'   innerFun = function(x) mean(x, trim = trim), outputRange = c(0, 100000), numSubsets = 200
#' )
#' # The function keeps its copy of `trim`.
#' trim <- "changed"
#' trimmed$release(PUMS5extract10000)
#'
#' # A formula gives the coefficients of lm() on each block.
#' line <- dpSampleAndAggregate(
#'   c("income", "educ"), n = 10000, rng = list(c(0, 200000), c(1, 16)), epsilon = 1,
#'   innerFun = income ~ educ, outputRange = rbind(constant = c(-1e5, 1e5), educ = c(-2e4, 2e4)),
#'   numSubsets = 50
#' )
#' line$release(PUMS5extract10000)$release
#' @name block_functions
NULL

#' How sample and aggregate releases block results
#'
#' Noise, sensitivities and intervals of [dpSampleAndAggregate()], and the rules that choose an
#' aggregate and a number of blocks.
#'
#' @section Sensitivities: These fields of a plan are public:
#'
#'   * `innerFunSens`: D, the largest change of a block result by one row. Let R be the width of
#'     `rng` and m the size of the smallest block. For a tight mean, D is R/m, R and R^2/m for mean,
#'     median and variance. With `"labels"`, blocks can be empty, and D is R/2 for mean and median.
#'     Otherwise D is the width of `outputRange`, or the number that you promised, but at least half
#'     the width. A variance of labelled rows can change by its whole range when a block of one row
#'     gets a second row.
#'   * `overlap`: J, the largest number of blocks that contain a row: 1 except for `"resampled"` and
#'     `"subsets"`. Subsets are drawn when you build the object, and J applies to these subsets.
#'   * `aggregationFunSens`, `sens`: J D / k, the largest change of the mean of the results.
#' @section Promises: If you promise that an R function's results change by less than the width of
#'   `outputRange`, give that number as `innerFunSens`. It counts as at least half of the width,
#'   because a failing block moves its result that far. Results name it as `unverified`. It needs
#'   the feature `"honest-but-curious"` and works only with `"Mean"`.
#' @section Fields of a result: A winsorized mean has `clampedTo`, the found interval, which
#'   determines `accuracy`. A `rangeHelper` adds `inputRange`, the quartiles, and `outputRange`, the
#'   found range, which determines `accuracy`. In both cases, `interval` is for results clamped to
#'   the found range.
#' @section Noise of one aggregate: Let J be the number of blocks that one row changes, each by at
#'   most D. The mean has discrete Laplace noise of scale J D / (k epsilon). Permute-and-flip
#'   selects quantiles and the mode, with scale 2 J / epsilon in blocks. The score of a quantile
#'   candidate is the distance between the target rank and the ranks of the results nearest to it,
#'   see [dpQuantile()]. For `score = "balance"` see [make_private_quantile()], and for the mode
#'   [make_noisy_max()].
#'
#'   The winsorized mean spends a quarter of epsilon on each quartile of the results, q and r. It
#'   clamps the results to (q + r)/2 -+ 4 k^(1/3 + 1/10) |r - q|, releases this interval, and spends
#'   half of epsilon on the mean. Both quartiles use the score `"balance"`. If all results are
#'   between two candidates, the interval and the noise are wide, but the interval contains the
#'   results. `accuracy` shows the width.
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
#' @section Failed blocks: `failureShare` adds `nFailed`, the noisy number of failed blocks, from 0
#'   to `numSubsets`. With probability `1 - alpha`, its error is at most `nFailedAccuracy`. It also
#'   adds `share_failed`, the noisy share, and `status`: `"ok"`, or `"failed"` if more than half of
#'   the blocks failed.
#' @section Gaussian noise: One row changes J of k blocks, with P results each. Each result has
#'   noise of standard deviation J D sqrt(P) / (k sqrt(2 rho)), where D is the largest change of
#'   that result by one block.
#' @section Joint releases: A `"Mean"` with `failures = "drop"` or `interval = "population"` comes
#'   from noisy sums in one measurement. Let P be the number of results, u the distance of a result
#'   from the middle of its range in half-widths, and s = J / `epsilon`. The discrete Laplace noise
#'   has scale
#'
#'   * 2 P s on each sum of u, as for a mean alone.
#'   * 4 P s on each sum of u^2, for `"population"`, or 8 P s with `"drop"`.
#'   * 2 s on the number of blocks that worked, with `"drop"`, or 8/3 s with `"population"`.
#'
#'   Together they lose `epsilon`. If u replaces u', |u - u'| + |u + u'| <= 2, so sums move much
#'   only if squares hardly do. A failing block moves sums by at most half of the largest change. So
#'   count and squares are free. D is then the width of `outputRange`, even for named functions: for
#'   the mean of a column use [dpMean()].
#'
#'   With `"drop"`, a block fails if any of its results fails. The release is the noisy sum over the
#'   noisy number of blocks that worked. It is over all blocks if noise can explain the difference
#'   (less than log(10) scales). `nFailed` is the number of other blocks. Its error from noise is at
#'   most `nFailedAccuracy` with probability `1 - alpha`. `status` is `"ok"`, or `"failed"` if noise
#'   hides whether any block worked. `release` is then `NA`. Noise in the number matters if results
#'   lie far from the middle. `accuracy` of a result accounts for it. `accuracy` of the object
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
#' @section Automatic choices: Public numbers choose `aggregationFun` or `numSubsets` if you leave
#'   them `NULL`. A message of class `dp_message_chosen` gives the choice and the reason, and the
#'   fields hold it. The plan is the same as if you had given the chosen value.
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
#' @section Blocks with missing values: With `missing = "drop"`, all `n` rows are first assigned to
#'   blocks. Then rows that lack a value leave their block. So one replaced row still changes at
#'   most J blocks. The number of rows left in a block is private. An empty block fails. D changes:
#'
#'   * R functions: the width of `outputRange`, as before. `innerFunSens` must be `NULL`.
#'   * `"median"`: R, as before.
#'   * `"mean"`: R/c, with c half the rows of the smallest block, rounded up. If a block has fewer
#'     than c rows left, the missing ones up to c count as the middle of `rng`. So if most values
#'     are missing, the release moves to the middle of `rng`. [dpMean()] avoids this.
#'   * `"var"`: the width of the range of its results.
#'
#'   A mean or a variance has less noise with `missing = "impute"`, which is right if nothing is
#'   missing. [dpMean()] and [dpVariance()] have less noise than either. Notes below a result
#'   explain how blocks with too few rows count. They also say that the number of failed blocks is
#'   not released, unless it is. If noise does not explain all failures, a result gives their
#'   number.
#' @references Nissim, Raskhodnikova and Smith (2007), *Smooth Sensitivity and Sampling in Private
#'   Data Analysis*, section 4. Smith (2011), *Privacy-Preserving Statistical Estimation with
#'   Optimal Convergence Rates*. Mohan, Thakurta, Shi, Song and Culler (2012), *GUPT: Privacy
#'   Preserving Data Analysis Made Easy*. Bun and Steinke (2019), *Average-Case Averages: Private
#'   Algorithms for Smooth Sensitivity and Mean Estimation*.
#' @seealso [aggregation_choices] for aggregates and schemes, [block_functions] for your function
#' @examples
#' careful <- dpSampleAndAggregate(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 1,
#'   innerFun = function(x) if (max(x) > 3e5) stop("too rich") else median(x),
#'   outputRange = c(0, 50000), aggregationFun = "Mean", failures = "drop", interval = "population",
#'   numSubsets = 500
#' )
#' careful$release(PUMS5extract10000)
#' @name block_releases
NULL

#' Number of blocks for sample and aggregate
#'
#' Chooses the number and the size of blocks. More blocks mean less noise, but also smaller blocks,
#' where a function can be more biased. The choice follows from formulas of public numbers, or
#' from old data of the same kind that are not private.
#'
#' @param n (whole number) Public number of rows.
#' @param epsilon (`numeric(1)`) Loss of the release, above 0.
#' @param width (`numeric(1)`) Width of the declared range of block results, above 0.
#' @param bias (`numeric(1)`) Constant c, not 0, if the results of blocks of m rows have a bias of
#'   about c / m. Take it from theory or from other data, never from the data to protect.
#' @param innerFun (`function`) Function of a block that returns one number. Use it with `oldData`,
#'   instead of `bias`.
#' @param oldData (`numeric` or a data frame) Rows of the same kind, at least 2, in any order. They
#'   are read without protection, so never use the data to protect.
#' @returns `numeric(2)`, whole: `numSubsets`, and `subsetSize`, the rows in a block.
#' @section Formulas: Without `bias`, GUPT's rule gives n^0.4 blocks, rounded down, of n^0.6 rows,
#'   rounded up. With `bias`, the number k of blocks minimizes the bias and Laplace noise of a mean,
#'   (c k / n)^2 + 2 (width / (k epsilon))^2. So k^2 = sqrt(2) width n / (|c| epsilon), k is rounded
#'   down, between 1 and n, and a block has n / k rows.
#'
#'   With old data, GUPT's other rule tries twenty powers k = n^t, 0 < t <= 1, whose blocks are not
#'   larger than these data. It minimizes the observed bias plus the standard deviation of the
#'   noise:
#'   |mean of `innerFun` over old blocks of n / k rows - `innerFun` of all old rows| +
#'   sqrt(2) width / (epsilon k). With k' old blocks, block b has the rows b, b + k', b + 2 k', ...
#' @references Mohan, Thakurta, Shi, Song and Culler (2012), *GUPT: Privacy Preserving Data Analysis
#'   Made Easy*.
#' @seealso [dpSampleAndAggregate()]
#' @examples
#' sampleAggregateBlocks(10000)
#' sampleAggregateBlocks(10000, epsilon = 0.1, width = 100000, bias = 20000)
#'
#' old_waiting_times <- stats::qexp(stats::ppoints(2000))[(1:2000 * 837) %% 2000 + 1]
#' sampleAggregateBlocks(
#'   10000, epsilon = 0.1, width = 5, innerFun = median, oldData = old_waiting_times
#' )
#' @export
sampleAggregateBlocks <- function(n, epsilon = NULL, width = NULL, bias = NULL, innerFun = NULL,
                                  oldData = NULL) {
  n <- check_positive_whole(n, "n")
  if (!is.null(oldData)) {
    if (!is.null(bias)) stop_argument("NULL, with `oldData`", "given", "bias", environment())
    check_number(epsilon, above = 0)
    check_number(width, above = 0)
    check_function(innerFun)
    return(blocks_from_old(n, width / epsilon, innerFun, oldData, environment()))
  }
  if (is.null(bias)) {
    # Rounding must not push whole powers of whole numbers below themselves.
    blocks <- floor(n^0.4 * (1 + 2^-45))
    return(c(numSubsets = blocks, subsetSize = ceiling(n^0.6 * (1 - 2^-45))))
  }
  check_number(epsilon, above = 0)
  check_number(width, above = 0)
  check_number(bias)
  if (bias == 0) stop_argument("not 0", "0", "bias", environment())
  blocks <- min(max(1, floor(sqrt(sqrt(2) * width * n / (abs(bias) * epsilon)))), n)
  c(numSubsets = blocks, subsetSize = n %/% blocks)
}

blocks_from_old <- function(n, noise, innerFun, oldData, call) {
  framed <- is.data.frame(oldData)
  columns <- if (framed) as.list(oldData) else list(oldData)
  rows <- length(columns[[1]])
  if (!(framed || is_numbers(oldData)) || rows < 2) {
    stop_argument("a numeric vector or a data frame, of two rows or more", describe(oldData),
      "oldData", call
    )
  }
  on <- function(at) innerFun(block_of(columns, at, framed))
  all <- check_number(on(seq_len(rows)), arg = "innerFun", call = call)
  candidates <- unique(pmax(1, floor(n^(seq_len(20) / 20))))
  candidates <- candidates[n %/% candidates <= rows]
  errors <- vapply(candidates, function(k) {
    blocks <- rows %/% (n %/% k)
    members <- split(seq_len(rows), rep_len(seq_len(blocks), rows))
    abs(mean(vapply(members, on, 0)) - all) + sqrt(2) * noise / k
  }, 0)
  blocks <- candidates[[which.min(replace(errors, is.na(errors), Inf))]]
  c(numSubsets = blocks, subsetSize = n %/% blocks)
}

#' Standard errors from bootstrap replicates
#'
#' Computes standard errors from bootstrap replicates that were released before. These are formulas:
#' they draw nothing and read no data.
#'
#' This package has no bootstrap mechanism. The privacy claim of Brawner and Honaker (2018) averages
#' over the number of times that a record is drawn, but the worst case counts. Three alternatives
#' cost nothing extra: intervals from known noise, as in [dpMean()], replicates of disjoint parts,
#' as in [dpGLM()], and a parametric bootstrap of the release.
#'
#' @param release (`numeric`) Replicates, two or more.
#' @param nBoot (whole number) Number of replicates.
#' @param sens (`numeric(1)`) Sensitivity of a replicate, at least 0.
#' @param epsilon (`numeric(1)`) Claimed cost of all `nBoot` replicates together. It is a parameter
#'   of zero-concentrated differential privacy.
#' @param n (whole number) Number of records.
#' @param i (`numeric`) Whole numbers.
#' @param vec (`numeric`) Replicates of one number.
#' @param alpha (`numeric(1)`) Share to leave out, half of it at each end.
#' @returns `bootSE()` returns `list(sd, conservative, naive)`. `sd` is the standard deviation of
#'   the replicates. `naive` subtracts the variance of the noise, `sens^2 nBoot / (2 epsilon)`.
#'   `conservative` subtracts only the variance that noise exceeds with probability 99%, a quantile
#'   of chi-squared over `nBoot - 1`. If nothing is left, they are 0.
#'   `bootstrapCountProbabilities()` returns the probability that a record appears `i` times among
#'   `n` draws with replacement from `n`. `trimVector()` returns the elements of `vec` between its
#'   quantiles of order `alpha / 2` and `1 - alpha / 2`.
#' @section Errors: `dp_error_invalid_argument` for anything but numbers in these ranges.
#' @references Brawner and Honaker (2018), *Bootstrap Inference and Differential Privacy: Standard
#'   Errors for Free*. Wang, Cheng and Awan (2022), *Differentially Private Bootstrap: New Privacy
#'   Analysis and Inference Strategies*, who correct it.
#' @examples
#' bootSE(release = c(4.1, 3.9, 4.4, 4.0, 3.8), nBoot = 5, sens = 0.1, epsilon = 1)
#' bootstrapCountProbabilities(n = 1000, i = 0:4)
#' trimVector(c(4.1, 3.9, 9.4, 4.0, 3.8), alpha = 0.5)
#' @export
bootSE <- function(release, nBoot, sens, epsilon) {
  check_whole(nBoot, min = 2)
  check_number(sens, min = 0)
  check_number(epsilon, above = 0)
  if (!is_numbers(release) || length(release) != nBoot || !all(is.finite(release))) {
    stop_argument("`nBoot` numbers", describe(release), "release", environment())
  }
  s <- stats::sd(release)
  noise <- sens^2 * nBoot / (2 * epsilon)
  least <- noise * stats::qchisq(0.01, nBoot - 1) / (nBoot - 1)
  list(sd = s, conservative = sqrt(max(s^2 - least, 0)), naive = sqrt(max(s^2 - noise, 0)))
}

#' @rdname bootSE
#' @export
bootstrapCountProbabilities <- function(n, i) {
  check_positive_whole(n)
  if (!is_numbers(i) || !all(is.finite(i) & i >= 0 & i == floor(i))) {
    stop_argument("whole numbers of at least 0", describe(i), "i", environment())
  }
  stats::dbinom(i, n, 1 / n)
}

#' @rdname bootSE
#' @export
trimVector <- function(vec, alpha = 0.05) {
  if (!is_numbers(vec) || !all(is.finite(vec))) {
    stop_argument("finite numbers", describe(vec), "vec", environment())
  }
  check_probability(alpha)
  ends <- stats::quantile(vec, c(alpha / 2, 1 - alpha / 2))
  vec[vec >= ends[[1]] & vec <= ends[[2]]]
}
