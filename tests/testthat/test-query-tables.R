# Tables that add up: exact counts, agreement, errors, missing values, maps, and refusals.
local_verbs()

school_domain <- dp_domain(
  sex = dp_levels("f", "m"), educ = dp_int(1, 4), age = dp_int(0, 110),
  income = dp_num(0, 1000), married = dp_flag(), region = dp_levels(10, 20, 30, missing = NA)
)

made_pupils <- function(rows, seed = 1) {
  withr::with_seed(seed, data.frame(
    person = sample(rows %/% 2 + 1, rows, replace = TRUE), sex = sample(c("f", "m"), rows, TRUE),
    educ = sample(4, rows, TRUE), age = sample(0:110, rows, TRUE),
    income = round(stats::runif(rows, 0, 1000), 2), married = sample(c(TRUE, FALSE), rows, TRUE),
    region = sample(c(10, 20, 30, NA), rows, TRUE)
  ))
}

pupils_table <- function(data = made_pupils(400), unit = dp_unit(rows = 1),
                         session = plenty("rho"), ...) {
  dp_tbl(session, data, unit, school_domain, ...)
}

# The noise of each cell is below 1e-3, except with a chance below 1e-12.
nearly_counted <- function(query) {
  released <- release(query, rho = 1e20, alpha = 1e-12)
  for (counts in released$counts) expect_lt(max(counts$std.error), 1e-4)
  released
}

test_that("released tables equal table() without noise, in its order", {
  data <- made_pupils(400)
  released <- nearly_counted(dp_tables(pupils_table(data), dp_cross(sex, educ, married),
    dp_cross(region, sex), dp_cross(age, income),
    bins = list(age = c(18, 65), income = c(100, 500))
  ))
  expect_equal(released$rows, 400, tolerance = 1e-6)
  own <- list(
    sex = factor(data$sex, c("f", "m")), educ = factor(data$educ, 1:4),
    married = factor(data$married, c(FALSE, TRUE)),
    region = factor(data$region, c(10, 20, 30, NA), exclude = NULL),
    age = cut(data$age, c(-Inf, 17, 64, Inf), c("0-17", "18-64", "65-110")),
    income = cut(data$income, c(-Inf, 100, 500, 1000), c("up to 100", "(100,500]", "(500,1000]"))
  )
  expect_setequal(names(released$counts), c(
    "sex", "educ", "married", "region", "age", "income", "sex:educ", "sex:married", "educ:married",
    "sex:region", "age:income", "sex:educ:married"
  ))
  for (name in names(released$counts)) {
    columns <- strsplit(name, ":")[[1]]
    wanted <- do.call(table, c(own[columns], useNA = "ifany"))
    found <- as.table(released, name)
    expect_equal(as.vector(found), as.vector(wanted), tolerance = 1e-5, info = name)
    labels <- lapply(dimnames(wanted), function(level) replace(level, is.na(level), "NA"))
    expect_identical(unname(dimnames(found)), unname(labels), info = name)
  }
})

test_that("noisy tables add up to each other", {
  query <- dp_tables(pupils_table(), dp_cross(sex, educ, married), dp_cross(region, sex))
  released <- release(query, rho = 0.1)
  wide <- as.table(released, "sex:educ:married")
  expect_equal(as.vector(apply(wide, c(1, 2), sum)), as.vector(as.table(released, "sex:educ")),
    tolerance = 1e-9
  )
  expect_equal(as.vector(apply(wide, 1, sum)), released$counts$sex$estimate, tolerance = 1e-9)
  expect_equal(as.vector(colSums(as.table(released, "sex:region"))),
    released$counts$region$estimate,
    tolerance = 1e-9
  )
  for (counts in released$counts) {
    expect_equal(sum(counts$estimate), released$rows, tolerance = 1e-9)
  }
  expect_gt(max(abs(wide - round(wide))), 1e-6)
})

test_that("the covariance matrix gives the standard error of each cell and of sums", {
  released <- release(dp_tables(pupils_table(), dp_cross(sex, educ)), rho = 0.1)
  covariance <- vcov(released, "sex:educ")
  counts <- released$counts$`sex:educ`
  expect_equal(unname(sqrt(diag(covariance))), counts$std.error)
  expect_equal(sqrt(sum(covariance)), released$rows.error)
  of_f <- as.numeric(counts$sex == "f")
  expect_equal(sqrt(drop(of_f %*% covariance %*% of_f)), released$counts$sex$std.error[[1]])
})

test_that("errors of 1,000 releases have the stated standard error and coverage", {
  query <- dp_tables(pupils_table(made_pupils(100)), dp_cross(sex, educ))
  exact <- table(made_pupils(100)[c("sex", "educ")])
  times <- 1000
  found <- replicate(times, {
    counts <- release(query, rho = 0.5)$counts$`sex:educ`
    c(counts$estimate[[1]] - exact[[1]], counts$std.error[[1]])
  })
  # The variance of a normal sample is within 7 standard deviations, 7 sqrt(2 / times), except with
  # a chance below 1e-10.
  expect_equal(mean(found[1, ]^2) / found[2, 1]^2, 1, tolerance = 7 * sqrt(2 / times))
  # So is the share of intervals that cover.
  reach <- stats::qnorm(0.975) * found[2, 1]
  expect_lt(abs(mean(abs(found[1, ]) <= reach) - 0.95), 7 * sqrt(0.05 * 0.95 / times))
})

test_that("a preview has the standard errors of the release, and a loss can be solved", {
  query <- dp_tables(pupils_table(), dp_cross(sex, educ), dp_cross(region))
  preview <- dp_preview(query, rho = 0.1)
  released <- release(query, rho = 0.1)
  expect_equal(preview$std.error,
    unname(vapply(released$counts, function(counts) counts$std.error[[1]], 0))
  )
  expect_equal(preview$accuracy, stats::qnorm(0.975) * preview$std.error, tolerance = 1e-6)
  loss <- dp_solve(query, accuracy = c("sex:educ" = 20, region = 30))
  again <- dp_preview(query, rho = loss$rho)
  expect_true(all(again$accuracy[match(c("sex:educ", "region"), again$table)] <= c(20, 30)))
  less <- dp_preview(query, rho = loss$rho * 0.999)
  expect_false(all(less$accuracy[match(c("sex:educ", "region"), less$table)] <= c(20, 30)))
  guessed <- dp_preview(query, rho = 0.1, rows = c(100, 1000))
  expect_equal(nrow(guessed), 2 * nrow(preview))
  expect_equal(guessed$relative[[1]], preview$accuracy[[1]] / 50)
})

test_that("the loss is the one that was asked for, and a repeated release is free", {
  session <- dp_session(dp_zcdp(1))
  query <- dp_tables(pupils_table(session = session), dp_cross(sex, educ))
  released <- release(query, rho = 0.25)
  expect_equal(released$rho, 0.25, tolerance = 1e-9)
  expect_lte(unlist(dp_spent(session))[[1]], 0.25)
  expect_gt(released$rows.error, 0)
})

test_that("important tables have smaller errors", {
  table <- pupils_table()
  crosses <- list(dp_cross(sex, educ), dp_cross(region, married))
  error_of <- function(weights) {
    query <- do.call(dp_tables, c(list(table), crosses, list(weights = weights)))
    preview <- dp_preview(query, rho = 1)
    preview$std.error[match("educ:sex", preview$table, nomatch = match("sex:educ", preview$table))]
  }
  expect_lt(error_of(c("educ:sex" = 5)), error_of(NULL))
  expect_gt(error_of(c("region:married" = 5)), error_of(NULL))
})

test_that("rows without a value are left out of all tables, and the footer says so", {
  data <- made_pupils(300)
  data$sex[1:50] <- NA
  data$educ[200:220] <- 99
  released <- nearly_counted(dp_tables(pupils_table(data), dp_cross(sex), dp_cross(educ, region)))
  complete <- data[!is.na(data$sex) & data$educ != 99, ]
  expect_equal(released$rows, nrow(complete), tolerance = 1e-6)
  expect_equal(released$counts$sex$estimate, as.vector(table(complete$sex)), tolerance = 1e-5)
  expect_equal(as.vector(as.table(released, "educ")), as.vector(table(complete$educ)),
    tolerance = 1e-5
  )
  expect_match(paste(format(released), collapse = "\n"), "are left out of all tables")
})

test_that("a person with several rows is protected by the cap", {
  data <- made_pupils(300)
  capped <- dp_truncate(pupils_table(data, dp_unit(id = person)), max_rows = 3)
  one <- dp_truncate(pupils_table(data, dp_unit(id = person)), max_rows = 1)
  error_of <- function(table) dp_preview(dp_tables(table, dp_cross(sex, educ)), rho = 1)$std.error
  expect_equal(error_of(capped), 3 * error_of(one), tolerance = 1e-9)
  expect_error(
    release(dp_tables(pupils_table(data, dp_unit(id = person)), dp_cross(sex)), rho = 1),
    class = "dp_error_unbounded"
  )
})

test_that("the number of rows is free if rows are replaced and none can be left out", {
  data <- made_pupils(200)
  data$married <- NULL
  domain <- dp_domain(region = dp_levels(10, 20, 30, missing = NA), age = dp_int(0, 3, missing = 0))
  data$age <- data$age %% 4
  table <- dp_tbl(plenty("rho"), data, dp_unit(changes = 1), domain)
  released <- release(dp_tables(table, dp_cross(region)), rho = 0.1)
  expect_equal(released$rows, 200)
  expect_equal(released$rows.error, 0)
})

test_that("results print, tidy and plot, and never show more than the release", {
  released <- release(dp_tables(pupils_table(), dp_cross(sex, educ), dp_cross(age)), rho = 1)
  text <- paste(capture.output(print(released)), collapse = "\n")
  expect_match(text, "Released: 4 tables of sex, educ, age")
  tidy <- generics::tidy(released)
  expect_identical(nrow(tidy), sum(vapply(released$counts, nrow, 1L)))
  expect_identical(unique(tidy$table), names(released$counts))
  expect_true(all(tidy$conf.low >= 0))
  glance <- generics::glance(released)
  expect_equal(glance$nobs, released$rows)
  expect_equal(glance$tables, 4)
  expect_equal(nrow(confint(released, "sex")), 2)
  expect_match(paste(format(summary(released)), collapse = "\n"), "sex:educ")
  for (name in names(released$counts)) {
    expect_s3_class(ggplot2::autoplot(released, name), "ggplot")
    pdf(NULL)
    expect_no_error(plot(released, name))
    dev.off()
  }
})

test_that("a query of tables survives JSON, with its hash, and releases tables again", {
  query <- dp_tables(pupils_table(), dp_cross(sex, educ), dp_crosses(2, region, married),
    dp_cross(age), bins = list(age = dp_breaks(4))
  )
  again <- on_table(from_json(to_json(query)), pupils_table())
  expect_s3_class(again, "dp_tables_query")
  expect_identical(format(again), format(query))
  expect_identical(plan_hash(again, dp_zcdp(1)), plan_hash(query, dp_zcdp(1)))
  expect_named(release(again, rho = 1)$counts, names(release(query, rho = 1)$counts))
})

test_that("breaks make equal or growing cells within the bounds", {
  query <- dp_tables(pupils_table(), dp_cross(age, income),
    bins = list(age = dp_breaks(5), income = dp_breaks(4, "log"))
  )
  counts <- nearly_counted(query)$counts
  expect_identical(levels(counts$age$age), c("0-22", "23-44", "45-66", "67-88", "89-110"))
  expect_identical(levels(counts$income$income),
    c("up to 4.6", "(4.6,31]", "(31,180]", "(180,1000]")
  )
  usual <- dp_tables(pupils_table(), dp_cross(age), dp_cross(income))
  expect_equal(dp_preview(usual, rho = 1)$cells, c(16, 16))
})

test_that("queries that cannot be tables are refused before a charge", {
  table <- pupils_table()
  refuse <- function(code, class, pattern) {
    expect_error(code, pattern, class = paste0("dp_error_", class))
  }
  refuse(dp_tables(table), "invalid_argument", "at least one table")
  refuse(dp_tables(table, "sex"), "invalid_argument", "dp_cross")
  refuse(dp_tables(table, dp_cross(sexx)), "domain", "sexx")
  refuse(dp_cross(), "invalid_argument", "at least one column")
  refuse(dp_cross(sex, sex), "invalid_argument", "twice")
  refuse(dp_cross(sex + 1), "invalid_argument", "by name")
  refuse(dp_cross(a = sex), "invalid_argument", "no argument")
  refuse(dp_crosses(3, sex, age), "invalid_argument", "at most the number of columns")
  refuse(dp_tables(group_by(table, sex), dp_cross(educ)), "unsupported", "without groups")
  refuse(dp_tables(pupils_table(session = plenty()), dp_cross(sex)), "unsupported", "rho")
  refuse(dp_tables(table, dp_cross(sex), bins = list(age = 5)), "invalid_argument", "named by")
  refuse(dp_tables(table, dp_cross(sex), bins = list(sex = 5)), "invalid_argument", "numeric")
  refuse(dp_tables(table, dp_cross(age), bins = list(age = c(30, 20))), "invalid_argument",
    "increasing"
  )
  refuse(dp_tables(table, dp_cross(age), bins = list(age = c(30, 200))), "invalid_argument",
    "within the bounds"
  )
  refuse(dp_tables(table, dp_cross(age), bins = list(age = 0)), "invalid_argument", "two cells")
  refuse(dp_tables(table, dp_cross(sex), weights = c(age = 2)), "invalid_argument", "sex")
  refuse(dp_tables(table, dp_cross(sex), weights = c(sex = 0)), "invalid_argument", "above 0")
  refuse(dp_breaks(1), "invalid_argument", "from 2")
  more <- dp_tbl(plenty("rho"), data.frame(d = Sys.Date(), t = "a", x = 1, one = 1),
    dp_unit(rows = 1),
    dp_domain(
      d = dp_date("2020-01-01", "2021-01-01"), t = dp_text(), x = dp_num(), one = dp_int(1, 1)
    )
  )
  refuse(dp_tables(more, dp_cross(d)), "domain", "dates")
  refuse(dp_tables(more, dp_cross(t)), "domain", "no declared levels")
  refuse(dp_tables(more, dp_cross(x)), "domain", "no bounds")
  refuse(dp_tables(more, dp_cross(one)), "domain", "one cell")
  wide <- dp_tbl(plenty("rho"), NULL, dp_unit(rows = 1),
    dp_domain(a = dp_int(0, 4999), b = dp_int(0, 4999))
  )
  refuse(dp_tables(wide, dp_cross(a, b), bins = list(a = dp_breaks(2000), b = dp_breaks(2000))),
    "unsupported", "cells"
  )
})
