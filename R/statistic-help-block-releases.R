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
