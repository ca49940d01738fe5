#' Differentially private k-means
#'
#' Plans releases of `k` clusters of rows: their centres, their sizes and how far their rows lie
#' from the centre. Building the plan checks the arguments, calibrates the noise and reads no data.
#' Each call of `release()` spends `epsilon` on all of these together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Values are clamped to `rng`. A row with a missing value in `columns` is in no
#' cluster. Distances are measured in range widths, so `rng` affects both the clusters and the
#' noise. Choose narrow ranges.
#'
#' By position, the arguments are `columns, k, n, rng, epsilon`, as in earlier versions.
#'
#' @inheritParams dpCorrelation
#' @param k (whole number) Public number of clusters, 1 to 1000.
#' @param iterations (whole number) Public number of iterations, 1 to 1000. Each one assigns rows to
#'   centres, moves the centres and spends an equal share of `epsilon`. `NULL` chooses the number
#'   that the noise allows, see How it works.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpKMeans`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `columns`, `varType`, `k`, `iterations`, `n`, `epsilon`,
#'   `delta` (0), `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`: it depends on the data),
#'   `imputeRng` (`NULL`), `input_metric`, `d_in`, `measurement` and `result`, a [dp_result] with
#'
#' * `release`: the centres, a data frame with a row for each cluster and a column for each of
#'   `columns`, in their units.
#' * `variable`, `accuracy`, `epsilon`.
#' * `size`: the noisy number of rows in each cluster.
#' * `withinss`: for each cluster, the noisy sum of squared distances of its rows from its centre,
#'   in range widths, at least 0.
#' * `intervals`: a matrix with a row for each number in `release`. The interval is for the mean of
#'   the cluster's members in the population that the rows were drawn from.
#' * `previous`: the centres before the last iteration, in the form of `release`. Each row belongs
#'   to the nearest of these centres.
#' * `iterations`.
#' * `status`: `"ok"`, or `"few"` if a cluster has so few rows that the noise hides their number.
#'   The centre of such a cluster is the one in `previous`, and its other numbers except `size` are
#'   `NA`.
#' @section Prediction: `predict(result, newdata)` gives the number of the nearest cluster for each
#'   row of `newdata`. These must be other, public rows. A row with a missing value gives `NA`.
#'   Values are clamped to `rng`, as in the data. `augment(result, newdata)` (of package generics)
#'   adds the factor `.cluster` to `newdata`.
#' @section How it works: This is Lloyd's algorithm. Each iteration assigns rows to the nearest of
#'   the public centres. It releases noisy counts, sums and sums of squares, and moves the centres
#'   to the means. An iteration has the same loss for any centres, so the losses add up. Values of
#'   a cluster lie in a box that follows from the centres. Let t be the position of a value in the
#'   box of its column, between 0 and 1. The sums of `(1 - t)^2`, `2 t (1 - t)` and `t^2` are
#'   released. These terms are not negative and add up to 1, so each row is split among these three
#'   cells. One replaced row moves the cells of a column by at most 2, even if it changes its
#'   cluster, and the cells of P columns by at most 2 P. Each cell has discrete Laplace noise of
#'   scale `2 P iterations / epsilon`. Least squares makes all columns agree on the numbers of rows.
#'   Intervals work as in [dpNaiveBayes()].
#'
#'   The first centres are spread evenly over the ranges for any data. The algorithm gives up a
#'   cluster if noise alone can explain it, or if another centre is almost as near to its rows.
#'   Then it splits the cluster with the largest sum of squares. All of this uses released numbers
#'   only. `iterations = NULL` means the largest number from 2 to 20 with
#'   `2 P iterations k / (epsilon n) <= 1 / 60`. The left side is the standard deviation of the
#'   noise in a centre, in range widths, if all clusters had the same size and boxes as wide as the
#'   range. More iterations find better clusters, but their means are noisier.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (three standard deviations of
#'   the noise in a sum are as large as the mean cluster size), `dp_warning_range`.
#' @references Blum, Dwork, McSherry and Nissim (2005), *Practical Privacy: The SuLQ Framework*,
#'   section 4. Su, Cao, Li, Bertino and Jin (2016), *Differentially Private k-Means Clustering*,
#'   for public first centres and a number of iterations that follows from the noise. Lloyd (1982),
#'   *Least Squares Quantization in PCM*.
#' @seealso [stats::kmeans()] without privacy, [dpPCA()], [statistic_models]
#' @examples
#' plan <- dpKMeans(c("age", "educ"), k = 4,
#'   n = 10000, rng = list(age = c(18, 93), educ = c(1, 16)), epsilon = 1
#' )
#' result <- plan$release(PUMS5extract10000)
#' result$release
#' result$size
#' predict(result, data.frame(age = c(20, 45), educ = c(9, 13)))
#' plot(result)
#' @export
dpKMeans <- new_statistic("dpKMeans", "Clusters of rows by k-means", "clusters of rows",
  arguments = function(columns, k, n, rng = NULL, epsilon = NULL, iterations = NULL,
                       mechanism = "mechanismLaplace", varType = "numeric", alpha = 0.05,
                       n_check = "error") {
  },
  required = c("columns", "k", "n", "rng", "epsilon"),
  takes = list(
    columns = column_names(2), k = whole_number(min = 1, max = 1000), n = count_from(2),
    rng = bounds_of("columns"), epsilon = loss_of_release(),
    iterations = whole_number(min = 1, max = 1000, null = TRUE)
  ),
  plan = function(...) plan_kmeans(...),
  fields = kmeans_fields,
  numbers = c("n", "columns", "k", "range"), others = c("n", "columns", "k")
)

plan_kmeans <- function(args, call) {
  columns <- args$columns
  chosen <- if (is.null(args$iterations)) {
    list(iterations = kmeans_iterations(args$k, length(columns), args$n, args$epsilon))
  }
  args[names(chosen)] <- chosen
  measurement <- build("cluster_moments", column_specs(columns, args$rng, args$rng, args$varType),
    as.double(t(first_centres(args$k, length(columns)))), args$iterations, args$epsilon, args$n
  )
  own <- list(
    name = paste("k-means of", toString(columns)), variable = columns, delta = 0,
    rngFormat = "list", accuracy = NA_real_, input_metric = measurement("input_metric"),
    d_in = protected_rows, measurement = measurement
  )
  fields <- stats::setNames(c(own, args)[kmeans_fields], kmeans_fields)
  sum_deviation <- sqrt(2) * cell_deviation(length(columns), args$epsilon / args$iterations)
  plan <- new_plan(fields, kmeans_result,
    read = columns_of_kinds, class = "dp_kmeans_result",
    noise_dominates = 3 * sum_deviation >= args$n / args$k,
    span = rep(vapply(args$rng, diff, 0), each = args$k), covers = c(intervals = target_of$moved),
    model = list(rng = stats::setNames(args$rng, columns)), call = call
  )
  c(plan, list(chosen = chosen))
}

# Chooses iterations from the noise of one, in shares of a range. u spans two of these units.
kmeans_iterations <- function(k, columns, n, epsilon) {
  deviation <- sqrt(2) * cell_deviation(columns, epsilon) * k / n / 2
  within_bounds(floor(1 / (60 * deviation)), 2, 20)
}

# Quasi-random points with room around them, in shares of the ranges. Each has a row.
first_centres <- function(k, columns) spread_points(k, columns)

# Reads the last iteration from a release: matrices with a row for each cluster, and the cells of
# each column of each cluster. Positions are shares of the ranges.
last_iteration <- function(release, fields) {
  columns <- length(fields$columns)
  size <- fields$k * columns
  last <- utils::tail(release, 6 * size)
  part <- function(i) matrix(last[(i - 1) * size + seq_len(size)], ncol = columns, byrow = TRUE)
  list(
    previous = part(1), lower = part(2), upper = part(3),
    cells = array(last[-seq_len(3 * size)], c(3, columns, fields$k))
  )
}

# S3 method names contain dots.
