# Regression lines from jointly released moments.

coefficient_names <- function(formula) c(if (formula$intercept) "intercept", formula$terms)

# Fits a formula over `columns` by least squares, from the moments of u. With a constant it uses
# (1, u), otherwise the columns divided by their largest magnitudes.
joint_line <- function(found, formula, columns, ridge = 0) {
  used <- match(c(formula$terms, formula$response), columns)
  in_order <- c(1, used + 1)
  design <- line_design(found$middle[used], found$half[used], formula$intercept)
  if (!is.null(found$mixed) && formula$intercept) {
    predictors <- in_order[-length(in_order)]
    design$back <- design$unit * solve(t(found$mixed[predictors, predictors]))
  }
  count <- length(formula$terms)
  moments <- moment_matrix(found$count, found$sums, found$products, found$pairs)
  noise <- moment_deviations(found)
  model <- list(
    design = design$predictors, response = design$response,
    ridge = c(if (formula$intercept) 0, rep(4 * ridge * (found$count - found$lost), count)),
    floor = max(moment_floor(found$scales), variance_floor),
    degrees_of_freedom = max(found$count - nrow(design$predictors), 1)
  )
  line <- fitted_line(
    list(values = moments[in_order, in_order], noise = noise[in_order, in_order]), model,
    design$back, coefficient_names(formula)
  )
  if (!is.null(found$shared)) {
    line$noise <- added_noise(line$noise, found$shared[in_order, in_order])
  }
  if (formula$intercept) line$estimate[[1]] <- line$estimate[[1]] + found$middle[[used[count + 1]]]
  line$variance <- line$variance * design$unit^2
  line$normal <- found$scales$normal
  line
}

# Adds up the effects of moments that are one released number, with equal `ids`. Moments with id 0
# are known. The columns of `noise` are pairs of columns, in the order of least_squares.h.
added_noise <- function(noise, ids) {
  of_columns <- ids[lower.tri(ids, diag = TRUE)]
  known <- setdiff(unique(of_columns), 0)
  together <- outer(of_columns, known, "==")
  noise %*% together
}

# Design of a regression: its predictors and response (the last column) as combinations of (1, u),
# the matrix that maps its coefficients to the units of the columns, and the unit of its response.
line_design <- function(middle, half, intercept) {
  last <- length(middle)
  x <- seq_len(last - 1)
  if (intercept) {
    unit <- half[[last]]
    return(list(
      predictors = cbind(diag(last), 0), response = c(numeric(last), 1), unit = unit,
      back = unit * rbind(c(1, -middle[x] / half[x]), cbind(0, diag(1 / half[x], last - 1)))
    ))
  }
  size <- abs(middle) + half
  unit <- size[[last]]
  list(
    predictors = cbind((middle / size)[x], diag((half / size)[x], last - 1), 0),
    response = c(middle[[last]], numeric(last - 1), half[[last]]) / unit, unit = unit,
    back = diag(unit / size[x], last - 1)
  )
}

without_intercept <- function(line) {
  line$estimate <- line$estimate[-1]
  line$noise <- line$noise[-1, , drop = FALSE]
  line$sampling <- line$sampling[-1, -1, drop = FALSE]
  line
}
