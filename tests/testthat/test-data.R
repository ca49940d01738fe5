# The synthetic extract, compared with published figures of the original extract.

pums_figures <- function(name) {
  path <- test_path("fixtures", paste0("pums_", name, ".csv"))
  read.csv(path, colClasses = c(level = "character"))
}

pums_marginal <- function(variable, statistic) {
  marginals <- pums_figures("marginals")
  rows <- marginals[marginals$variable == variable & marginals$statistic == statistic, ]
  setNames(rows$value, rows$level)
}

expect_within <- function(actual, published, absolute = 0, relative = 0) {
  expect_gt(length(published), 0)
  distance <- abs(as.vector(actual) - as.vector(published))
  expect_lte(max(distance - absolute - relative * abs(published)), 0)
}

test_that("DATA-001: the extract has the columns, types and size of the original", {
  expect_s3_class(PUMS5extract10000, "data.frame", exact = TRUE)
  expect_identical(
    vapply(PUMS5extract10000, typeof, ""),
    c(
      X = "integer", state = "integer", puma = "integer", sex = "integer", age = "integer",
      educ = "integer", income = "double", latino = "integer", black = "integer",
      asian = "integer", married = "integer"
    )
  )
  expect_identical(nrow(PUMS5extract10000), 10000L)
  expect_identical(row.names(PUMS5extract10000), as.character(1:10000))
  expect_false(anyNA(PUMS5extract10000))
})

test_that("every column spans the published range", {
  for (variable in c("X", "puma", "sex", "age", "educ", "latino", "black", "asian", "married")) {
    published <- c(pums_marginal(variable, "min"), pums_marginal(variable, "max"))
    expect_equal(range(PUMS5extract10000[[variable]]), unname(published), info = variable)
  }
  extremes <- pums_marginal("income", "quantile")[c("0", "1")]
  expect_equal(range(PUMS5extract10000$income), unname(extremes))
  expect_equal(unique(PUMS5extract10000$state), unname(pums_marginal("state", "constant")))
})

test_that("every code is a published one", {
  for (variable in c("sex", "age", "educ", "puma", "latino", "black", "asian", "married")) {
    codes <- as.integer(names(pums_marginal(variable, "count")))
    expect_identical(sort(unique(PUMS5extract10000[[variable]])), sort(codes), info = variable)
  }
})

test_that("shares of categories are within 2 points of the published ones", {
  for (variable in c("sex", "age", "educ", "puma", "latino", "black", "asian", "married")) {
    published <- pums_marginal(variable, "count") / 10000
    codes <- factor(PUMS5extract10000[[variable]], levels = names(published))
    expect_within(proportions(table(codes)), published, absolute = 0.02)
  }
})

test_that("area codes and joint ethnicities have exactly the published counts", {
  published <- pums_marginal("puma", "count")
  expect_equal(c(table(PUMS5extract10000$puma))[names(published)], published)

  published <- pums_marginal("race_ethnicity", "joint_count")
  cell <- with(PUMS5extract10000, sprintf("latino%d_black%d_asian%d", latino, black, asian))
  expect_equal(c(table(cell))[names(published)], published)
})

test_that("quantiles and mean of income are near the published ones", {
  income <- PUMS5extract10000$income
  published <- pums_marginal("income", "quantile")
  near <- function(levels, relative) {
    expect_within(quantile(income, as.numeric(levels)), published[levels], relative = relative)
  }
  near(c("0.25", "0.5", "0.75"), relative = 0.12)
  near(c("0.9", "0.95"), relative = 0.15)
  expect_within(mean(income), pums_marginal("income", "mean"), relative = 0.05)
  expect_within(sd(income), pums_marginal("income", "sd"), relative = 0.05)
})

test_that("incomes at zero, below zero and at the top code occur as often as published", {
  income <- PUMS5extract10000$income
  counts <- pums_marginal("income", "count")
  expect_equal(sum(income == 0), counts[["zero"]])
  expect_equal(sum(income > 0), counts[["positive"]])

  losses <- pums_marginal("income", "negative_value_count")
  expect_equal(c(table(income[income < 0]))[names(losses)], losses)
  expect_identical(sum(income == pums_marginal("income", "top_code_value")), 8L)
})

test_that("incomes are rounded as people round them", {
  positive <- with(PUMS5extract10000, income[income > 0])
  published <- pums_marginal("income", "share_of_positive_multiple_of")
  share <- vapply(as.numeric(names(published)), function(g) mean(positive %% g == 0), numeric(1))
  expect_within(share, published, absolute = 0.03)
})

test_that("correlations of all pairs of columns are within 0.05 of the published ones", {
  published <- read.csv(test_path("fixtures", "pums_correlations.csv"))
  columns <- names(PUMS5extract10000)
  published <- published[published$a %in% columns & published$b %in% columns, ]
  correlation <- function(a, b) cor(PUMS5extract10000[[a]], PUMS5extract10000[[b]])
  expect_within(mapply(correlation, published$a, published$b), published$pearson, absolute = 0.05)
})

test_that("income rises with education as published, within 8 percent", {
  covariance <- read.csv(test_path("fixtures", "pums_covariance.csv"))
  between <- function(a, b) covariance$covariance[covariance$a == a & covariance$b == b]
  published <- between("educ", "income") / between("educ", "educ")
  slope <- with(PUMS5extract10000, cov(educ, income) / var(educ))
  expect_within(slope, published, relative = 0.08)
})

test_that("median income by education and sex is within 20 percent of the published one", {
  groups <- pums_figures("income_by_group")
  published <- groups[groups$grouping == "educband|sex", ]
  band <- with(PUMS5extract10000, cut(
    educ, c(0, 3, 8, 9, 12, 13, 16), labels = c("1-3", "4-8", "9", "10-12", "13", "14-16")
  ))
  medians <- with(PUMS5extract10000, tapply(income, paste(band, sex, sep = "|"), median))
  expect_setequal(names(medians), published$level)
  expect_within(medians[published$level], published$q50, relative = 0.2)
})

test_that("row numbers are distinct and follow the areas as closely as published", {
  expect_identical(anyDuplicated(PUMS5extract10000$X), 0L)
  along <- with(PUMS5extract10000, cor(X, puma, method = "spearman"))
  expect_within(along, pums_marginal("X", "spearman_with_puma"), absolute = 0.01)
  expect_within(
    quantile(PUMS5extract10000$X, (1:10) / 10), pums_marginal("X", "decile_upper"), absolute = 20000
  )
})

test_that("the latino share varies between areas as published, within 5 points", {
  published <- pums_marginal("puma", "between_code_quantile_of_mean_latino")
  shares <- with(PUMS5extract10000, tapply(latino, puma, mean))
  expect_within(quantile(shares, as.numeric(names(published))), published, absolute = 0.05)
})

test_that("rows are in no particular order", {
  expect_within(with(PUMS5extract10000, cor(X, seq_along(X))), 0, absolute = 0.05)
})

# The synthetic payroll, compared with published figures of the original.

socrata_figures <- function(variable, statistic) {
  rows <- read_fixture("socrata_summary.csv")
  rows <- rows[rows$variable == variable & rows$statistic == statistic, ]
  setNames(rows$value, rows$level)
}

socrata_numbers <- function(variable, statistic) {
  figures <- socrata_figures(variable, statistic)
  setNames(as.numeric(figures), names(figures))
}

socrata_column <- function(name) SocrataWhiteHouseEmployeeSalaries[[name]]

test_that("DATA-002: the payroll has the columns, types and size of the original", {
  expect_s3_class(SocrataWhiteHouseEmployeeSalaries, "data.frame", exact = TRUE)
  split <- function(name) strsplit(socrata_figures("(table)", name)[[1]], "|", fixed = TRUE)[[1]]
  types <- vapply(SocrataWhiteHouseEmployeeSalaries, typeof, "")
  expect_identical(types, setNames(split("types"), split("columns")))
  expect_equal(nrow(SocrataWhiteHouseEmployeeSalaries), socrata_numbers("(table)", "rows")[[1]])
  expect_false(anyNA(SocrataWhiteHouseEmployeeSalaries))
})

test_that("texts of the payroll have the published frequencies", {
  for (variable in c("Employee.Status", "Pay.Basis")) {
    published <- socrata_numbers(variable, "count")
    expect_equal(c(table(socrata_column(variable)))[names(published)], published)
  }
  titles <- c(table(socrata_column("Position.Title")))
  expect_length(titles, socrata_numbers("Position.Title", "distinct"))
  expect_equal(sum(titles == 1), socrata_numbers("Position.Title", "titles_used_once")[[1]])
  common <- socrata_numbers("Position.Title", "most_common_count")
  expect_equal(titles[names(common)], common)
  expect_lte(max(titles[setdiff(names(titles), names(common))]), min(common))
  expect_identical(toupper(names(titles)), names(titles))
  lengths <- socrata_numbers("Position.Title", "length_quantile")
  found <- quantile(nchar(socrata_column("Position.Title")), as.numeric(names(lengths)))
  expect_equal(unname(found), unname(lengths))
})

test_that("salaries have the published values, ties and quantiles", {
  salary <- socrata_column("Salary")
  counts <- c(table(salary))
  common <- socrata_numbers("Salary", "most_common_count")
  expect_equal(counts[names(common)], common)
  expect_lt(max(counts[setdiff(names(counts), names(common))]), min(common))
  expect_length(counts, socrata_numbers("Salary", "distinct"))
  expect_equal(sum(salary == 0), socrata_numbers("Salary", "count")[["zero"]])
  quantiles <- socrata_numbers("Salary", "quantile")
  expect_equal(unname(quantile(salary, as.numeric(names(quantiles)))), unname(quantiles))
  expect_within(mean(salary), socrata_numbers("Salary", "mean"), relative = 0.01)
  expect_within(sd(salary), socrata_numbers("Salary", "sd"), relative = 0.01)
})

test_that("salaries of each status and of common titles are as published", {
  status <- socrata_column("Employee.Status")
  for (of in unique(status)) {
    salary <- socrata_column("Salary")[status == of]
    published <- socrata_figures("Salary", paste0("by_status_", of))
    published <- as.numeric(strsplit(published, ";")[[1]])
    expect_equal(c(length(salary), median(salary), range(salary)), published[-2])
    expect_within(mean(salary), published[[2]], relative = 0.01)
  }
  medians <- socrata_numbers("Position.Title", "median_salary_of_common_title")
  found <- tapply(socrata_column("Salary"), socrata_column("Position.Title"), median)
  expect_equal(c(found[names(medians)]), medians)
})
