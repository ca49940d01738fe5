# Income: people without one, amounts of the others, and rounding in reports.

draw_income <- function(people, figures) {
  counts <- figures$marginal("income", "count")
  score <- predictor(people, figures$model("logit income>0 ~ factor"))
  earns <- has_trait(score, counts[["positive"]]) == 1

  people$income <- 0
  losses <- deal(figures$marginal("income", "negative_value_count"))
  people$income[sample(which(!earns), length(losses))] <- as.numeric(losses)

  people$income[earns] <- exp(draw_log_income(people[earns, ], figures))
  people$income <- people |>
    match_group_quantiles(figures) |>
    match_quantiles(quantiles_of_income(figures))
  people$income[earns] <- people$income[earns] |>
    round_as_reported(figures) |>
    place_top_code(figures)
  people
}

# The linear model of log income, with residuals as listed by education and age. They are drawn
# by interpolating their quantiles, not from a normal law: their lower tail is long.
draw_log_income <- function(people, figures) {
  coefficients <- figures$model("OLS log(income>0) ~ factor")
  pattern <- "^\\(residual quantile ([0-9.]+) \\| educ ([0-9-]+) \\| age (.+)\\)$"
  listed <- grep(pattern, names(coefficients), value = TRUE)
  quantiles <- data.frame(
    level = as.numeric(sub(pattern, "\\1", listed)),
    group = sub(pattern, "\\2|\\3", listed),
    residual = coefficients[listed]
  )
  age <- c("18-24", "25-64", "65+")[findInterval(people$age, c(18, 25, 65))]
  group <- in_fixed_order(paste(education_band(people$educ), age, sep = "|"))
  residual <- lapply(split(group, group), function(g) {
    known <- quantiles[quantiles$group == as.character(g[1]), ]
    stats::approx(known$level, known$residual, xout = stats::runif(length(g)), rule = 2)$y
  })
  predictor(people, coefficients) + unsplit(residual, group)
}

# The model leaves out that spread and tail differ between groups. Each group's positive incomes
# are scaled so that its quantiles move to the published ones. Ranks within the group stay. A
# group is a combination of two of education, sex, age and ethnicity. The groupings overlap, so
# every pass undoes a little of the others, less each time.
match_group_quantiles <- function(people, figures, passes = 3) {
  groups <- list(
    "educband|sex" = paste(education_band(people$educ), people$sex, sep = "|"),
    "sex|ageband" = paste(people$sex, people$age_band, sep = "|"),
    "race|sex" = paste(people$race, people$sex, sep = "|")
  )
  income <- people$income
  for (pass in seq_len(passes)) {
    for (grouping in names(groups)) {
      rows <- split(seq_along(income), groups[[grouping]])
      for (level in names(rows)) {
        target <- figures$income_quantiles(grouping, level)
        income[rows[[level]]] <- scale_to_quantiles(income[rows[[level]]], target)
      }
    }
  }
  income
}

scale_to_quantiles <- function(x, target) {
  levels <- as.numeric(names(target))
  own <- stats::quantile(x, levels)
  known <- target > 0 & own > 0
  position <- (rank(x, ties.method = "first") - 1) / (length(x) - 1)
  log_ratio <- log(target[known] / own[known])
  ratio <- exp(stats::approx(levels[known], log_ratio, xout = position, rule = 2)$y)
  ifelse(x > 0, x * ratio, x)
}

# The published quantiles of all incomes in steps of 1%, and one of the positive incomes that lies
# between the first two positive ones.
quantiles_of_income <- function(figures) {
  quantiles <- figures$marginal("income", "quantile")
  counts <- figures$marginal("income", "count")
  level <- 1 - (1 - 0.001) * counts[["positive"]] / sum(counts)
  lowest <- exp(figures$marginal("log_income_positive", "quantile")[["0.001"]])
  c(stats::setNames(lowest, level), quantiles[quantiles > 0])
}

# The model and the groups decide who earns more than whom, the published quantiles of all
# incomes decide how much. Values of many incomes appear as several quantiles.
# The smooth curve runs through the middle of each heap, and rounding makes the heaps again. It
# is drawn through square roots: between the few points of the upper tail, a curve through the
# incomes themselves would be too high.
match_quantiles <- function(x, quantiles) {
  nonpositive <- mean(x <= 0)
  knots <- c(nonpositive, tapply(as.numeric(names(quantiles)), quantiles, mean))
  values <- c(0, sort(unique(quantiles)))
  position <- (rank(x, ties.method = "first") - 1) / (length(x) - 1)
  curve <- stats::splinefun(knots, sqrt(values), method = "monoH.FC")
  ifelse(x > 0, curve(position)^2, x)
}

# Each income is rounded to one of these grids, with probabilities that depend on its band.
round_as_reported <- function(income, figures) {
  grids <- c(1, 10, 100, 1000, 5000)
  highest <- max(figures$marginal("income", "quantile"))
  bands <- names(figures$marginal("income", "count_in_band"))
  upper <- as.numeric(sub(".*,(.*)\\]", "\\1", bands))
  band <- findInterval(income, c(0, upper), left.open = TRUE)
  for (b in seq_along(bands)) {
    shares <- vapply(grids[-1], function(grid) {
      figures$marginal("income", sprintf("share_multiple_of_%d_in_band", grid))[[bands[b]]]
    }, numeric(1))
    here <- which(band == b)
    grid <- sample(grids, length(here), replace = TRUE, prob = grid_weights(grids, c(1, shares)))
    # No positive income is rounded to 0: a grid too coarse for a value is not used on it.
    coarsest <- grids[pmax(1, findInterval(2 * income[here], grids))]
    grid <- pmin(grid, coarsest)
    income[here] <- pmax(grid, round(income[here] / grid) * grid)
  }
  pmin(income, highest)
}

# Weights of the grids such that `shares[j]` of the results are multiples of `grids[j]`. A value
# rounded to a finer grid g is a multiple of the coarser grid h by chance, g times in h.
grid_weights <- function(grids, shares) {
  hit <- outer(grids, grids, function(multiple_of, rounded_to) pmin(1, rounded_to / multiple_of))
  weights <- pmax(0, solve(hit, shares))
  weights / sum(weights)
}

# The survey publishes one value, 462000, for the top of one kind of income.
place_top_code <- function(income, figures, times = 8) {
  value <- figures$marginal("income", "top_code_value")[[1]]
  income[income == value] <- value + 1000
  candidates <- which(income >= 400000 & income <= 560000)
  income[sample(candidates, times)] <- value
  income
}
