# Statistics of rows in classes. If the class of a row is private, one release counts and sums all
# classes (class_moments.h). If groups have public sizes, each group has separate moments
# (moments_by_position.h). In both cases a class has a noisy count, mean and variance.

# Reads private data: codes of the classes, from 1, and NA for a row in no class. The core reads
# texts and factors, as for all statistics.
class_codes_of <- function(data, column, levels) {
  codes <- if (is.character(levels)) {
    core_places_of_texts(texts_of(data, column), levels)
  } else {
    as.double(match(as.double(column_of(data, column)[[1]]), levels))
  }
  structure(list(codes), class = "dp_numbers", codes = TRUE)
}

# Reads columns that all have `levels`.
reads_levels <- function(levels) {
  force(levels)
  function(data, variable) {
    all <- Map(function(name, of) class_codes_of(data, name, of), variable, levels)
    names(all) <- variable
    structure(all, class = "data.frame", row.names = .set_row_names(rows_in(all[[1]])))
  }
}

# Reads columns. `column` holds classes.
reads_classes <- function(column, levels) {
  force(column)
  force(levels)
  function(data, variable) {
    all <- lapply(stats::setNames(nm = variable), function(name) {
      if (name == column) class_codes_of(data, name, levels) else column_of(data, name)
    })
    structure(all, class = "data.frame", row.names = .set_row_names(rows_in(all[[1]])))
  }
}

# Reads groups of public sizes, whose rows come in the order of the groups.
reads_groups <- function(column, levels, sizes) {
  read <- reads_classes(column, levels)
  force(sizes)
  function(data, variable) {
    rows <- read(data, variable)
    codes <- rows[[column]][[1]]
    if (anyNA(codes) || !all(tabulate(codes, length(levels)) == sizes)) {
      stop_rows("`data` must have only rows of `groups`, with the numbers of rows in `groupSizes`.")
    }
    numbers <- rows[[setdiff(variable, column)]]
    structure(list(numbers[[1]][order(codes)]), class = "dp_numbers")
  }
}

class_measurement <- function(columns, class, levels, args) {
  specs <- column_specs(columns, args$rng, args$imputeRng %||% args$rng, args$varType)
  build("class_moments", specs, class, as.double(length(levels)), drops_missing(args), args$epsilon,
    args$n)
}

# Number of disjoint cells of a column (class_moments.h): three for each class, one more for its
# rows without a value if gaps are dropped, and one for rows in no class.
cells_of_class <- function(fields) if (drops_missing(fields)) 4 else 3

# Standard deviation of the noise in a cell.
cell_deviation <- function(columns, epsilon) sqrt(2) * 2 * columns / epsilon

# Adjusts `cells`, with a matrix column for each data column, by least squares until they agree. All
# columns then have the same number of rows in each class, and `n` rows in all. This is an
# orthogonal projection, apart from `n`.
consistent_cells <- function(cells, n, of_class) {
  none <- nrow(cells)
  classes <- (none - 1) / of_class
  in_class <- rep(seq_len(classes), each = of_class)
  totals <- rowsum(cells[-none, , drop = FALSE], in_class)
  agreed <- c(rowMeans(totals), mean(cells[none, ]))
  weight <- c(rep(of_class, classes), 1)
  agreed <- agreed + weight * (n - sum(agreed)) / sum(weight)
  moved <- (agreed[-(classes + 1)] - totals) / of_class
  cells[-none, ] <- cells[-none, ] + moved[in_class, , drop = FALSE]
  cells[none, ] <- agreed[[classes + 1]]
  cells
}

# Converts the released cells of u to list(counts, moments): counts of all rows of a class, and for
# each class and column the output of class_moment().
found_classes <- function(release, fields, columns, levels) {
  shape <- list(columns = columns, classes = length(levels), of_class = cells_of_class(fields))
  cells <- consistent_cells(matrix(release, ncol = columns), fields$n, shape$of_class)
  of_class <- function(class) (class - 1) * shape$of_class + seq_len(shape$of_class)
  places <- expand.grid(class = seq_along(levels), column = seq_len(columns))
  moments <- Map(function(class, column) {
    class_moment(cells[of_class(class)[1:3], column], shape, fields)
  }, places$class, places$column)
  counts <- vapply(seq_along(levels), function(class) sum(cells[of_class(class), 1]), 0)
  list(counts = within_bounds(counts, 0, fields$n), moments = moments)
}

# Moment from sums of Bernstein's polynomials. `weights`: effect of one standard deviation of the
# noise in each cell on the mean, before cells are made to agree.
class_moment <- function(cells, shape, fields) {
  deviation <- cell_deviation(shape$columns, fields$epsilon)
  weigh <- function(count, sum, squares) {
    all <- c(bernstein_weights(count, sum, squares), 0)
    deviation * all[seq_len(shape$of_class)]
  }
  moment <- noisy_moment(
    count = sum(cells), total = cells[[3]] - cells[[1]],
    squares = cells[[1]] - cells[[2]] + cells[[3]], most = fields$n, alpha = fields$alpha,
    moved = function(...) noise_that_agrees(weigh(...), shape)
  )
  c(moment, list(weights = weigh(-moment$mean, 1, 0) / moment$count))
}

# Weights of Bernstein's polynomial sums in a combination of count, sum and sum of squares.
bernstein_weights <- function(count, sum, squares) {
  c(count - sum + squares, count - squares, count + sum + squares)
}

# Effect of consistent_cells() on `weights` of a class's cells in one column. Returns the new
# weights, and the sum of squares of all others. These are many and small, so their noise is normal.
noise_that_agrees <- function(weights, shape) {
  all <- shape$classes * shape$of_class + 1
  share <- sum(weights) / shape$columns
  agreed <- share * (1 - shape$of_class / all)
  list(
    laplace = weights + (agreed - sum(weights)) / shape$of_class,
    normal = (shape$columns - 1) * agreed^2 / shape$of_class +
      shape$columns * (all - shape$of_class) * (share / all)^2
  )
}

# Moment of a group of a public size.
group_moment <- function(release, size, fields) {
  half <- diff(fields$rng) / 2
  drops <- drops_missing(fields)
  moments <- c(if (!drops) size, release) / half^(0:2)
  scales <- if (drops) {
    present_scales(fields$epsilon, TRUE, mean_weight)
  } else {
    c(0, 2, 4) / fields$epsilon
  }
  noisy_moment(
    count = moments[[1]], total = moments[[2]], squares = moments[[3]], most = size,
    alpha = fields$alpha, moved = function(...) {
      list(laplace = sqrt(2) * unname(scales) * c(...), normal = 0)
    }
  )
}

# Returns list(count, mean, variance, deviation, spread, noise, enough) of u. `moved(a, b, c)`
# returns the noise of a combination of count, sum and sum of squares: `laplace`, standard
# deviations of independent Laplace variables, and `normal`, the variance of a normal one. `noise`:
# first-order noise of the mean. `deviation`: noise deviation of the variance. `spread`: a variance
# that is seldom too small. `enough`: whether there are surely rows, despite the noise.
noisy_moment <- function(count, total, squares, most, alpha, moved) {
  unsure <- moved(1, 0, 0)
  enough <- count - error_reach(unsure$normal, matrix(unsure$laplace, 1), alpha) >= 2
  if (!enough) {
    return(list(
      count = within_bounds(count, 0, most), mean = NA_real_, variance = NA_real_,
      deviation = NA_real_, spread = NA_real_, noise = NULL, enough = FALSE
    ))
  }
  count <- min(count, most)
  mean <- within_bounds(total / count, -1, 1)
  variance <- count / (count - 1) * (squares / count - mean^2)
  in_squares <- moved(mean^2, -2 * mean, 1)
  deviation <- sqrt(sum(in_squares$laplace^2) + in_squares$normal) / count
  in_mean <- moved(-mean, 1, 0)
  list(
    count = count, mean = mean, variance = variance, deviation = deviation,
    spread = cautious_variance(variance, deviation / sqrt(2), count, 2, alpha),
    noise = list(laplace = in_mean$laplace / count, normal = in_mean$normal / count^2),
    enough = TRUE
  )
}

# Variance that sampling adds to a mean, with Student's excess.
sampling_variance <- function(moment, alpha) {
  moment$spread / moment$count * student_excess(moment$count, alpha)^2
}

# Error bound for a mean of u as an estimate of the population mean. NA if there are too few rows.
reach_of_means <- function(moments, alpha) {
  reach <- rep(NA_real_, length(moments))
  enough <- which(vapply(moments, `[[`, NA, "enough"))
  if (length(enough) > 0) {
    sampling <- vapply(moments[enough], sampling_variance, 0, alpha)
    normal <- vapply(moments[enough], function(moment) moment$noise$normal, 0)
    laplace <- do.call(rbind, lapply(moments[enough], function(moment) moment$noise$laplace))
    reach[enough] <- error_reach(sampling + normal, laplace, alpha)
  }
  reach
}
