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

# Results of k-means: centres, predictions and pictures --------------------------------------------

kmeans_result <- function(release, fields) {
  found <- last_iteration(release, fields)
  places <- expand.grid(cluster = seq_len(fields$k), column = seq_along(fields$columns))
  moments <- Map(function(cluster, column) {
    cluster_moment(matrix(found$cells[, , cluster], 3), column, fields)
  }, places$cluster, places$column)
  of_moments <- function(what) matrix(vapply(moments, `[[`, 0, what), fields$k)
  enough <- matrix(vapply(moments, `[[`, NA, "enough"), fields$k)
  half <- (found$upper - found$lower) / 2
  middle <- (found$upper + found$lower) / 2
  mean <- of_moments("mean")
  reach <- matrix(reach_of_means(moments, fields$alpha), fields$k)
  in_units <- function(shares) shares_in_units(shares, fields)
  centres <- ifelse(enough, middle + half * mean, found$previous)
  squares <- (of_moments("count") - 1) * pmax(of_moments("variance"), 0) * half^2
  intervals <- cbind(
    c(in_units(middle + half * pmax(mean - reach, -1))),
    c(in_units(middle + half * pmin(mean + reach, 1)))
  )
  rownames(intervals) <- paste(fields$columns[places$column], places$cluster, sep = ":")
  list(
    release = centre_frame(in_units(centres), fields), variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, size = of_moments("count")[, 1],
    withinss = rowSums(squares), intervals = intervals,
    previous = centre_frame(in_units(found$previous), fields), iterations = fields$iterations,
    status = if (all(enough)) "ok" else "few"
  )
}

# Converts shares to units of the columns. The result has a column for each.
shares_in_units <- function(shares, fields) {
  lower <- vapply(fields$rng, `[[`, 0, 1)
  width <- vapply(fields$rng, diff, 0)
  t(lower + width * t(shares))
}

centre_frame <- function(centres, fields) {
  dimnames(centres) <- list(NULL, fields$columns)
  as.data.frame(centres)
}

# Moments of u = 2 t - 1 from the cells of a cluster, see noisy_moment(). Each column of the data
# has a column of cells. The number of rows is the mean of the columns' numbers.
cluster_moment <- function(cells, column, fields) {
  columns <- ncol(cells)
  deviation <- cell_deviation(columns, fields$epsilon / fields$iterations)
  count <- sum(cells) / columns
  own <- cells[, column] + (count - sum(cells[, column])) / 3
  noisy_moment(
    count = count, total = own[[3]] - own[[1]], squares = own[[1]] - own[[2]] + own[[3]],
    most = fields$n, alpha = fields$alpha, moved = function(count, sum, squares) {
      noise_of_columns(deviation * bernstein_weights(count, sum, squares), columns)
    }
  )
}

# Adjusts `weights` of the cells of one column for agreement of all columns on the number of rows.
# Also returns the sum of squares of the weights of other columns, whose noise counts as normal.
noise_of_columns <- function(weights, columns) {
  agreed <- sum(weights) / columns
  list(
    laplace = weights + (agreed - sum(weights)) / 3, normal = (columns - 1) * agreed^2 / 3
  )
}

# nolint start: object_name_linter.
#' @rdname statistic_models
#' @export
predict.dp_kmeans_result <- function(object, newdata, ...) {
  call <- environment()
  check_names(...)
  if (missing(newdata)) stop_without_rows(call)
  bounds <- do.call(rbind, attr(object, "about")$model$rng)
  rows <- numbers_of_rows(newdata, rownames(bounds), call)
  kept <- list(bounds = attr(object, "about")$model$rng)
  warn_of_new_rows(newdata, kept, so_clamps, call)
  in_shares <- function(rows) {
    moved <- within_bounds(t(rows), bounds[, 1], bounds[, 2])
    matrix((moved - bounds[, 1]) / (bounds[, 2] - bounds[, 1]), nrow(bounds))
  }
  rows <- in_shares(rows)
  centres <- in_shares(as.matrix(object$release))
  nearness <- vapply(seq_len(ncol(centres)), function(cluster) {
    -colSums((rows - centres[, cluster])^2)
  }, numeric(ncol(rows)))
  nearness <- matrix(nearness, ncol = ncol(centres))
  nearest <- rep(NA_integer_, nrow(nearness))
  known <- !is.na(nearness[, 1])
  # Breaks ties in favour of the first.
  nearest[known] <- max.col(nearness[known, , drop = FALSE], "first")
  nearest
}

#' @rdname statistic_models
#' @exportS3Method generics::augment
augment.dp_kmeans_result <- function(x, newdata, ...) {
  check_names(...)
  if (missing(newdata)) stop_without_rows(environment())
  newdata$.cluster <- factor(predict(x, newdata), seq_len(nrow(x$release)))
  newdata
}

estimates_of.dp_kmeans_result <- function(x) {
  data.frame(
    term = paste(rep(x$variable, each = nrow(x$release)), seq_len(nrow(x$release)), sep = ":"),
    estimate = unlist(x$release, use.names = FALSE)
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_kmeans_result <- function(x) {
  list(
    centres = function() if (length(x$variable) == 2) centre_plane(x) else centre_points(x),
    sizes = function() {
      list(
        kind = "bars", xlab = "cluster", ylab = "rows",
        table = data.frame(term = as.character(seq_along(x$size)), estimate = x$size)
      )
    }
  )
}
# nolint end

# Picture for two columns: centres with both intervals.
centre_plane <- function(x) {
  table <- as.data.frame(x)
  clusters <- nrow(x$release)
  across <- table[seq_len(clusters), ]
  up <- table[clusters + seq_len(clusters), ]
  list(
    kind = "plane", xlab = x$variable[[1]], ylab = x$variable[[2]],
    table = data.frame(
      term = as.character(seq_len(clusters)), estimate = across$estimate, y = up$estimate
    ) |>
      with_ends(ends_of(across), c("conf.low", "conf.high")) |>
      with_ends(ends_of(up), c("y.low", "y.high"))
  )
}

ends_of <- function(table) if (!is.null(table$conf.low)) cbind(table$conf.low, table$conf.high)

# Picture for more columns: each from its lower to its upper bound.
centre_points <- function(x) {
  ranges <- rep(attr(x, "about")$model$rng, each = nrow(x$release))
  list(
    kind = "points", table = within_ranges(as.data.frame(x), ranges), apart = FALSE,
    xlab = "mean, from lower to upper bound of its column"
  )
}
