# Where people live: the area code, and the row number in a larger file sorted by area.
#
# Every area has its listed number of places. The places are given to ethnicities first, so that
# the shares of the areas spread as published, and then to people, so that incomes do.

draw_area <- function(people, figures) {
  sizes <- figures$marginal("puma", "count")
  area <- rep(seq_along(sizes), sizes)

  race <- draw_ethnicity_of_places(area, people$race, figures)
  affluence <- stats::rnorm(length(sizes))[area]
  means <- standardize(rank(people$income)) + standardize(people$educ)
  place <- integer(nrow(people))
  for (r in unique(race)) {
    chosen <- match_by_rank(means[people$race == r], affluence[race == r])
    place[people$race == r] <- which(race == r)[chosen]
  }

  row <- draw_row_numbers(area, figures)
  people$X <- row[place]
  people$puma <- as.integer(names(sizes))[area[place]]
  people
}

# Within one area, places are drawn from a logistic law around the area's own share. Over all
# areas each ethnicity gets one place for each of its people. Areas draw their shares by
# interpolating the published quantiles between areas.
draw_ethnicity_of_places <- function(area, races, figures) {
  race <- rep("other", length(area))
  for (r in c("latino", "black", "asian")) {
    free <- race == "other"
    spread <- figures$marginal("puma", paste0("between_code_quantile_of_mean_", r))
    share <- stats::approx(
      as.numeric(names(spread)), spread, xout = stats::runif(max(area)), rule = 2
    )$y
    share <- pmin(pmax(share, 0.005), 0.95)
    chosen <- has_trait(stats::qlogis(share[area[free]]), sum(races == r)) == 1
    race[free][chosen] <- r
  }
  race
}

# Pairs each value with one place, higher with more affluent, but loosely: the noise is set so that
# the mean income and education of areas spread about as published.
match_by_rank <- function(value, affluence, noise = 3) {
  noisy <- value + stats::rnorm(length(value), sd = noise)
  order(affluence, stats::runif(length(affluence)))[rank(noisy, ties.method = "first")]
}

standardize <- function(x) (x - mean(x)) / stats::sd(x)

# The larger file keeps an area together and has the areas nearly in the order of their codes.
draw_row_numbers <- function(area, figures) {
  first <- figures$marginal("X", "min")[[1]]
  last <- figures$marginal("X", "max")[[1]]
  between <- first + sample.int(last - first - 1, length(area) - 2)
  row <- as.integer(sort(c(first, between, last)))
  middle <- tapply(seq_along(area), area, mean)
  sd <- displacement(figures$marginal("X", "spearman_with_puma")[[1]]) * length(area)
  moved <- rank(middle + stats::rnorm(length(middle), sd = sd), ties.method = "first")
  row[rank(moved[area], ties.method = "first")]
}

# The standard deviation of noise that lowers the correlation of a uniform(0, 1) with itself to rho.
displacement <- function(rho) sqrt((1 / rho^2 - 1) / 12)
