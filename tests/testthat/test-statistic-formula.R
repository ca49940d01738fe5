# Formulas of terms, computed from one row each, as in model.matrix().

formula_levels <- list(g = c("N", "S", "W"), k = c(10, 20, 35))
formula_ranges <- list(y = c(-30, 30), a = c(1, 5), b = c(-2, 2))

formula_rows <- function(n) {
  rows <- data.frame(
    a = stats::runif(n, 1, 5), b = stats::runif(n, -2, 2),
    g = sample(formula_levels$g, n, TRUE), k = sample(formula_levels$k, n, TRUE)
  )
  rows$y <- 1 + rows$a^2 / 5 - rows$a * rows$b / 3 + (rows$g == "S") + stats::rnorm(n)
  rows
}

# A statistic of a formula over these columns, with the necessary bounds and levels.
of_terms <- function(formula, n, ..., generator = dpLM, rng = list(), epsilon = exact_epsilon,
                     missing = "drop") {
  used <- all.vars(stats::as.formula(formula))
  levels <- formula_levels[intersect(names(formula_levels), used)]
  args <- list(formula = formula, n = n, epsilon = epsilon, missing = missing,
    rng = c(formula_ranges[intersect(names(formula_ranges), used)], rng),
    levels = if (length(levels) > 0) levels)
  exactly(built(generator, utils::modifyList(args, list(...))))
}

# R's fit, with the declared levels.
theirs <- function(formula, rows, contrasts = NULL) {
  rows$g <- factor(rows$g, formula_levels$g)
  rows$k <- factor(rows$k, formula_levels$k)
  stats::lm(formula, rows, contrasts = contrasts)
}

test_that("without noise, coefficients and predictions equal R's, including names", {
  withr::local_seed(1)
  rows <- formula_rows(3000)
  fresh <- formula_rows(20)
  formulas <- list(
    y ~ I(a^2) + b:a + g, y ~ a * g - 1, y ~ a:g + b, y ~ (a > 2) * b, y ~ 0 + g:b + k,
    y ~ log(a) + pmin(b, 1) + offset(a) + offset(b^2), log(a) ~ exp(b) + sqrt(a),
    y ~ g * k, y ~ k * I(a > 2 & b < 1), y ~ (a + b + g)^2, I(y > 1) ~ pmax(a - 2, 0) + abs(b),
    y ~ I(-a) + I(1 / (a + b^2)) + I((a + 3)^-2), "y ~ g / a", y ~ factor(g) + a,
    y ~ I(g == "S" | k != 20) + a, y ~ b + a:b:g - 1
  )
  for (formula in formulas) {
    plan <- of_terms(formula, 3000)
    result <- plan$release(rows)
    fit <- theirs(stats::as.formula(formula), rows)
    expect_equal(coef(result), stats::setNames(coef(fit), sub("(Intercept)", "intercept",
      names(coef(fit)), fixed = TRUE)), tolerance = 1e-9, label = deparse1(formula))
    ours <- predict(result, fresh, interval = "confidence")
    fresh_factors <- transform(fresh, g = factor(g, formula_levels$g),
      k = factor(k, formula_levels$k))
    expect_equal(unname(ours),
      unname(stats::predict(fit, fresh_factors, interval = "confidence")), tolerance = 1e-6,
      label = deparse1(formula)
    )
    expect_identical(predict(result, transform(fresh_factors, k = fresh$k)), ours[, "fit"])
    expect_identical(deparse1(formula(result)), deparse1(stats::as.formula(formula)))
    expect_lte(plan$epsilon, exact_epsilon)
    expect_gt(plan$epsilon, exact_epsilon * (1 - 1e-12))
    expect_identical(plan$measurement(d_in = 1L), plan$epsilon)
  }
})

# Random formulas ---------------------------------------------------------------------------------

random_variable <- function() {
  number <- sample(c("a", "b"), 1)
  sample(c(
    "a", "b", "g", "k", sprintf("I(%s^%d)", number, sample(2:4, 1)), "log(a)",
    sprintf("exp(%s)", number), sprintf("I(%s > %d)", number, sample(-1:3, 1)), "sqrt(a)",
    sprintf("pmin(%s, %s)", number, sample(c("1.5", "1.75"), 1)), "I(a * b - 1/a)", "(b < 0.5)",
    "I(abs(b)/(1 + a))", "I(g != \"W\")", "factor(g)"
  ), 1)
}

random_formula <- function() {
  term <- function() {
    paste(replicate(sample(3, 1, prob = c(5, 3, 1)), random_variable()),
      collapse = sample(c(":", "*"), 1))
  }
  paste("y ~", paste(replicate(sample(3, 1), term()), collapse = " + "),
    sample(c("", "- 1"), 1))
}

# Model columns for public rows.
our_matrix <- function(formula, rows, contrasts, levels = formula_levels_of(formula)) {
  formula <- stats::as.formula(formula)
  intercept <- has_constant(formula, NULL)
  design <- formula_design(formula, levels, contrasts, intercept, NULL)
  design$terms <- design$terms[-1]
  rng <- formula_ranges[design$columns]
  terms <- terms_of_rows(row_program(design, rng, rng, "numeric"), rows, NULL)
  if (intercept) cbind(`(Intercept)` = 1, terms) else terms
}

formula_levels_of <- function(formula) {
  formula_levels[intersect(names(formula_levels), all.vars(stats::as.formula(formula)))]
}

# Whether this equals R's matrix, except in the last bits.
is_their_matrix <- function(ours, formula, rows, contrasts) {
  rows$g <- factor(rows$g, formula_levels$g)
  rows$k <- factor(rows$k, formula_levels$k)
  factors <- intersect(c("g", "k", "factor(g)"),
    attr(stats::terms(stats::as.formula(formula)), "term.labels") |>
      strsplit(":", fixed = TRUE) |> unlist())
  own <- if (contrasts == "sum" && length(factors) > 0) {
    stats::setNames(rep(list("contr.sum"), length(factors)), factors)
  }
  frame <- stats::model.frame(stats::as.formula(formula), rows, na.action = stats::na.pass)
  matrix <- stats::model.matrix(stats::as.formula(formula), frame, contrasts.arg = own)
  isTRUE(all.equal(unname(ours), unname(matrix[, , drop = FALSE]), tolerance = 1e-13,
    check.attributes = FALSE)) && identical(colnames(ours), colnames(matrix))
}

test_that("columns of random formulas equal model.matrix(), and mutants do not", {
  withr::local_seed(2)
  rows <- formula_rows(30)
  rows$b[[3]] <- NA
  wrong <- c(swapped = 0, baseless = 0)
  for (i in 1:150) {
    formula <- random_formula()
    contrasts <- sample(c("treatment", "sum"), 1)
    ours <- our_matrix(formula, rows, contrasts)
    expect_true(is_their_matrix(ours, formula, rows, contrasts), label = paste(formula, contrasts))
    # Mutants: the other kind of contrasts, and levels in a different order.
    other <- our_matrix(formula, rows, setdiff(c("treatment", "sum"), contrasts))
    wrong[["swapped"]] <- wrong[["swapped"]] + !is_their_matrix(other, formula, rows, contrasts)
    other <- our_matrix(formula, rows, contrasts, lapply(formula_levels_of(formula), rev))
    wrong[["baseless"]] <- wrong[["baseless"]] + !is_their_matrix(other, formula, rows, contrasts)
  }
  expect_true(all(wrong > 25), label = toString(wrong))
})

test_that("rows of random formulas stay within their known bounds", {
  withr::local_seed(3)
  rows <- formula_rows(200)
  for (i in 1:60) {
    formula <- random_formula()
    plan <- small(of_terms(formula, 200, epsilon = 1))
    terms <- our_matrix(formula, rows, "treatment")
    terms <- terms[, colnames(terms) != "(Intercept)", drop = FALSE]
    bounds <- matrix(unlist(plan$rng[-1]), nrow = 2)
    expect_true(all(t(terms) >= bounds[1, ] & t(terms) <= bounds[2, ]), label = formula)
    expect_identical(plan$measurement(d_in = 3L), 3 * plan$epsilon)
  }
})

# Terms that are rejected, and never evaluated ----------------------------------------------------

test_that("unsupported terms raise errors that name them and give the reason", {
  refused <- list(
    "poly(a, 2)" = y ~ poly(a, 2), "scale(a)" = y ~ scale(a), "mean(a)" = y ~ I(a - mean(a)),
    "ns(a, 3)" = y ~ ns(a, 3), "splines::bs(a)" = y ~ splines::bs(a), "s(a)" = y ~ s(a),
    "." = y ~ ., "1 | g" = y ~ a + (1 | g), "a || g" = y ~ a + (a || g),
    "cbind(y, a)" = cbind(y, a) ~ b, "sqrt(y)" = sqrt(y) ~ a, "I(y/2)" = I(y / 2) ~ a,
    "factor(h)" = y ~ factor(h), "I(a^2.5)" = y ~ I(a^2.5), "I(a^b)" = y ~ I(a^b),
    "log(a, 2)" = y ~ log(a, 2), "f(a)" = y ~ I(f(a)),
    "log1p(a)" = y ~ log1p(a), "a$b" = y ~ a$b + log(a), "I(exp(a * 200))" = y ~ I(exp(a * 200)),
    "I(1/b + 2)" = y ~ I(1 / b + 2), "log(b - 3)" = y ~ log(b - 3),
    "pmin(a, 3, na.rm = TRUE)" = y ~ pmin(a, 3, na.rm = TRUE), "I(g + 1)" = y ~ I(g + 1),
    "g" = g ~ a, "(function(x) x)(a)" = y ~ (function(x) x)(a) + log(a),
    "offset(a)" = y ~ I(offset(a)), "Inf" = y ~ I(a + Inf), "I(a > \"x\")TRUE" = y ~ I(a > "x")
  )
  for (term in names(refused)) {
    error <- expect_error(of_terms(refused[[term]], 100), class = "dp_error_invalid_argument")
    expect_identical(error$argument, "formula", label = term)
    expect_match(conditionMessage(error), paste0("term `", term, "`: "), fixed = TRUE)
  }
  for (formula in list(y ~ a %in% b, y ~ I(a %in% 1:2), y ~ y + log(a))) {
    expect_refused(of_terms(formula, 100), "formula")
  }
  expect_refused(of_terms(y ~ offset(a), 100), "formula")
  expect_refused(of_terms(y ~ a + log(a) + `intercept` + I(b), 100), "formula")
  expect_refused(of_terms(y ~ I(a), 100, generator = dpLM, rng = list(h = 1:2)), "rng")
})

test_that("D_R_10 a term is never evaluated as R code, whatever its environment", {
  seen <- FALSE
  log <- function(x) {
    seen <<- TRUE
    x
  }
  a <- function() seen <<- TRUE
  withr::local_seed(4)
  rows <- formula_rows(500)
  result <- of_terms(y ~ log(a), 500)$release(rows)
  expect_equal(unname(coef(result)), unname(coef(stats::lm(y ~ base::log(a), rows))),
    tolerance = 1e-9)
  expect_error(of_terms(y ~ I({
    seen <<- TRUE
    a
  }), 500), class = "dp_error_invalid_argument")
  expect_false(seen)
  # A constant must be written out, because a variable is a column that needs bounds.
  limit <- 3
  expect_error(of_terms(y ~ I(a > limit), 500), '"limit"', class = "dp_error_invalid_argument")
})

# Bounds ------------------------------------------------------------------------------------------

test_that("bounds of terms follow from columns, are narrowed, or are required", {
  bounds <- function(formula, ...) of_terms(formula, 100, epsilon = 1, ...)$rng
  expect_identical(bounds(y ~ I(b^2) + a:b)[-1], list(c(0, 4), c(-10, 10)))
  expect_identical(bounds(y ~ I(a > 2) + g)[[2]], c(0, 1))
  expect_identical(bounds(y ~ I(b^2), rng = list("I(b ^ 2)" = c(1, 2)))[[2]], c(1, 2))
  expect_identical(bounds(y ~ I(b^2), rng = list("I(b^2)" = c(-9, 2)))[[2]], c(0, 2))
  for (formula in list(y ~ log(b), y ~ I(1 / b), y ~ I(b^-1), log(y) ~ a)) {
    expect_refused(bounds(formula), "rng")
  }
  expect_identical(bounds(y ~ log(b), rng = list("log(b)" = c(-5, 0.5)))[[2]], c(-5, 0.5))
  expect_refused(bounds(y ~ I(b^2), rng = list("I(b^2)" = c(5, 6))), "rng")
  expect_refused(bounds(y ~ I(b^2), rng = list("I(a^2)" = c(5, 6))), "rng")
  expect_refused(bounds(y ~ I(b^2), rng = list("I(b^2)" = c(1, 2), "I(b ^ 2)" = c(1, 2))), "rng")
  expect_refused(bounds(y ~ I(b^2), rng = list("I(b^2)" = "a")), "rng")
  expect_refused(bounds(y ~ I(2)), "rng")
  error <- expect_error(bounds(y ~ I(b^2) + z), class = "dp_error_invalid_argument")
  expect_match(conditionMessage(error), 'without "z"', fixed = TRUE)
  # In the order of the formula, without names.
  plan <- small(dpLM(y ~ I(b^2), 100, list(c(-30, 30), c(-2, 2)), 1, missing = "impute"))
  expect_identical(plan$rng, list(c(-30, 30), c(0, 4)))
})

test_that("a narrowed term is clamped, and a term without a finite value makes the row missing", {
  withr::local_seed(5)
  rows <- formula_rows(2000)
  plan <- of_terms(y ~ log(b), 2000, rng = list("log(b)" = c(-2, 0.5)))
  result <- plan$release(rows)
  kept <- rows[rows$b > 0, ]
  expect_equal(result$nPresent, nrow(kept), tolerance = 1e-6)
  fit <- stats::lm(y ~ x, data.frame(y = kept$y, x = pmin(pmax(log(kept$b), -2), 0.5)))
  expect_equal(unname(coef(result)), unname(coef(fit)), tolerance = 1e-8)
  # Values outside a column's bounds are clamped before anything is computed from them.
  far <- transform(rows, a = ifelse(a > 3, 1e6, a))
  result <- of_terms(y ~ I(a^2), 2000)$release(far)
  fit <- stats::lm(y ~ I(pmin(a, 5)^2), far)
  expect_equal(unname(coef(result)), unname(coef(fit)), tolerance = 1e-8)
  # Data without any complete row count as few rows, not as an error.
  none <- transform(rows, b = -1)
  expect_identical(plan$release(none)$status, "few")
})

# Factors -----------------------------------------------------------------------------------------

test_that("an undeclared level makes the row missing, however the column is stored", {
  withr::local_seed(6)
  rows <- formula_rows(2000)
  rows$g[1:100] <- "nowhere"
  rows$g[101:150] <- NA
  rows$k[151:200] <- 11
  plan <- of_terms(y ~ a + g + k, 2000)
  result <- plan$release(rows)
  expect_equal(result$nPresent, 1800, tolerance = 1e-6)
  fit <- theirs(y ~ a + g + k, rows)
  expect_equal(unname(coef(result)), unname(coef(fit)), tolerance = 1e-9)
  as_factor <- transform(rows, g = factor(g), k = as.integer(k))
  expect_equal(coef(plan$release(as_factor)), coef(result), tolerance = 1e-9)
  sums <- of_terms(y ~ a + g, 2000, contrasts = "sum")$release(rows[1:2000, ])
  fit <- theirs(y ~ a + g, rows, contrasts = list(g = "contr.sum"))
  expect_equal(unname(coef(sums)), unname(coef(fit)), tolerance = 1e-9)
  predicted <- anywhere(predict(result, rows[c(1, 101, 151, 300), ]))
  expect_identical(unname(is.na(predicted)), c(TRUE, TRUE, TRUE, FALSE))
  # A column of another kind raises an error before anything is spent.
  expect_error(plan$release(transform(rows, g = 1)), "`g`", class = "dp_error_invalid_argument")
  expect_error(plan$release(transform(rows, k = "a")), "`k`", class = "dp_error_invalid_argument")
  expect_error(plan$release(rows[-3]), "`g`", class = "dp_error_invalid_argument")
  expect_error(plan$release(rows[-1, ]), class = "dp_error_rows")
  expect_error(predict(result, transform(rows, g = 1)), '"g"', class = "dp_error_invalid_argument")
})

test_that("imputed columns are drawn once for all terms, and levels are equally likely", {
  withr::local_seed(7)
  rows <- formula_rows(20000)
  rows$y <- rows$a^2 + 3 * (rows$g == "S")
  # Too few for any draw to move a coefficient by more than the tolerance.
  rows$a[1:3] <- NA
  rows$g[11:13] <- "nowhere"
  result <- of_terms(y ~ a + I(a^2) + g, 20000, missing = "impute")$release(rows)
  expect_equal(unname(coef(result)), c(0, 0, 1, 3, 0), tolerance = 0.05)
  # If drawn twice, a number and its square would be independent. Drawn once, uniform between 1 and
  # 5, they have covariance 8.
  rows$a <- NA_real_
  once <- of_terms(a ~ I(a^2), 20000, missing = "impute")$release(rows)
  slope <- 8 / (3124 / 20 - (31 / 3)^2)
  expect_equal(unname(coef(once)), c(3 - slope * 31 / 3, slope), tolerance = 0.01)
  # The error of a mean reveals its number of rows.
  rows$g <- "nowhere"
  errors <- diag(vcov(of_terms(y ~ g, 20000, missing = "impute")$release(rows)))
  of_level <- stats::var(rows$y) / (errors - c(0, errors[c(1, 1)]))
  expect_equal(unname(of_level) / 20000, rep(1 / 3, 3), tolerance = 0.04)
})

test_that("levels and contrasts are checked by name", {
  expect_refused(of_terms(y ~ a + g, 100, levels = list(h = c("a", "b"))), "levels")
  for (odd in list(list(g = "a"), c("a", "b"), list(c("a", "b")), list(g = c("a", NA)),
    list(g = c("a", "a")), list(g = c(1, 1.5)), list(g = list("a", "b")), list(), "a",
    list(g = c("a", "b"), g = c("a", "b")))) {
    expect_refused(small(dpLM(y ~ a + g, 100, formula_ranges[1:2], 1, levels = odd,
      missing = "impute")), "levels")
  }
  expect_refused(of_terms(y ~ a + g, 100, contrasts = "helmert"), "contrasts")
  expect_refused(of_terms(y ~ a, 100, contrasts = "sum"), "contrasts")
})

# Models ------------------------------------------------------------------------------------------

test_that("a generalized linear model supports the same terms", {
  withr::local_seed(8)
  rows <- formula_rows(4000)
  plan <- function(formula, objective, ...) {
    of_terms(formula, 4000, generator = dpGLM, mechanism = "mechanismObjective",
      varType = "numeric", objective = objective, epsilon = 1e9, ...)
  }
  formula <- I(y > 2) ~ I(a^2) * b + g
  result <- plan(formula, "logit")$release(rows)
  fit <- stats::glm(formula, stats::binomial(), rows)
  expect_equal(unname(coef(result)), unname(coef(fit)), tolerance = 0.02)
  expect_equal(predict(result, rows[1:9, ], type = "response"),
    stats::fitted(fit)[1:9], tolerance = 0.02)
  expect_named(generics::augment(result, rows[1:2, ]),
    c(names(rows), ".fitted", ".lower", ".upper"))
  bent <- plan(y ~ pmax(a - 2, 0) + offset(b), "ols")$release(rows)
  fit <- stats::lm(y ~ pmax(a - 2, 0) + offset(b), rows)
  expect_coefficients(coef(bent), fit, 0.01)
  expect_equal(predict(bent, rows[1:5, ]), stats::fitted(fit)[1:5], tolerance = 0.02)
  # Without an intercept, by argument or by formula, a factor has all its levels.
  for (model in list(plan(I(y > 2) ~ g, "logit", intercept = FALSE),
    plan(I(y > 2) ~ g - 1, "logit"))) {
    expect_identical(model$variable, c("I(y > 2)", "gN", "gS", "gW"))
    expect_false(model$intercept)
  }
})

test_that("regressions of a covariance matrix have terms, which are columns of the matrix", {
  withr::local_seed(12)
  rows <- formula_rows(3000)
  formulas <- c("y ~ a", "y ~ I(a^2) * g", "log(a) ~ b + I(a^2)")
  covariance <- function(formula, ..., levels = formula_levels["g"]) {
    exactly(covariance_of(columns = c("y", "a", "b"), rng = formula_ranges, n = 3000,
      globalEps = exact_epsilon, intercept = TRUE, formula = formula, levels = levels, ...))
  }
  for (missing in c("drop", "impute")) {
    result <- covariance(formulas, missing = missing)$release(rows)
    expect_identical(names(result$release),
      c("y", "a", "b", "I(a^2)", "gS", "gW", "I(a^2):gS", "I(a^2):gW", "log(a)"))
    expect_equal(result$release["y", "I(a^2)"], stats::cov(rows$y, rows$a^2), tolerance = 1e-6)
    for (formula in formulas) {
      fit <- theirs(stats::as.formula(formula), rows)
      expect_equal(unname(coef(result, formula = formula)), unname(coef(fit)), tolerance = 1e-6)
      expect_equal(predict(result, rows[1:9, ], formula = formula),
        stats::fitted(fit)[1:9], tolerance = 1e-6)
    }
  }
  plan <- covariance(formulas)
  expect_identical(plan$measurement(d_in = 1L), plan$globalEps)
  expect_identical(plan_hash(exactly(from_json(to_json(plan)))), plan_hash(plan))
  # Bounds by name, and separate losses of entries, including some for terms.
  own <- covariance(y ~ I(a^2), levels = NULL, epsilonDist = rep(0.1, 10))
  expect_equal(unname(coef(own$release(rows))), unname(coef(stats::lm(y ~ I(a^2), rows))),
    tolerance = 1e-4)
  for (formula in list("y ~ a + offset(b)", "y ~ log(z)", "y ~ I(a^2) - 1", "y ~ log(b - 5)")) {
    expect_refused(covariance(formula, levels = NULL), "formula")
  }
  expect_refused(covariance("y ~ log(b)", levels = NULL), "rng")
  expect_refused(covariance(formulas[[1]]), "levels")
  expect_refused(covariance(NULL), "levels")
  expect_refused(coefficientRelease("y ~ I(a^2)", result$release, 3000), "formula")
})

test_that("a formula of terms is saved, written, read and hashed with its plan", {
  plan <- of_terms(y ~ I(a^2) * g + offset(b), 500, epsilon = 1, contrasts = "sum")
  again <- from_json(to_json(plan))
  expect_identical(plan_hash(again), plan_hash(plan))
  expect_identical(again$measurement(d_in = 1L), 1)
  expect_false(plan_hash(of_terms(y ~ I(a^2) * g + offset(b), 500, epsilon = 1)) ==
    plan_hash(plan))
  withr::local_seed(9)
  rows <- formula_rows(500)
  file <- withr::local_tempfile()
  saveRDS(plan, file)
  loaded <- readRDS(file)
  expect_named(coef(loaded$release(rows)), names(coef(plan$release(rows))))
  expect_identical(plan$varType, "numeric")
  expect_identical(plan$levels, formula_levels["g"])
  expect_identical(plan$contrasts, "sum")
  tried <- dry_run(plan, rows)
  expect_null(tried$refused)
})

test_that("the loss law equals that of the model of columns", {
  plain <- dpLM(y ~ a + b, 500, formula_ranges, 0.5, missing = "impute")
  terms <- of_terms(y ~ I(a^2) + b, 500, epsilon = 0.5, missing = "impute")
  both <- vapply(list(plain, terms), function(plan) {
    compose_pld(rep(list(plan$measurement), 3), d_in = 1L)(epsilon = 1)
  }, 0)
  expect_lt(both[[2]], 0.5)
  expect_identical(both[[1]], both[[2]])
})

test_that("arguments that a model does not use raise errors", {
  withr::local_seed(10)
  rows <- formula_rows(300)
  result <- of_terms(y ~ a, 300)$release(rows)
  expect_named(coef(result, formula = "y ~ a"), c("intercept", "a"))
  expect_refused(coef(result, formula = "y ~ b"), "formula")
  expect_refused(predict(result, rows, formula = "y ~ b"), "formula")
  mean <- released(mean_of())
  expect_refused(summary(mean, level = 0.9), "level")
  expect_refused(summary(mean, formula = "y ~ a"), "formula")
  expect_refused(summary(mean_of(), level = 0.9), "level")
})

test_that("a predictor can have the name \"variance\"", {
  withr::local_seed(11)
  rows <- data.frame(y = stats::runif(500), variance = stats::runif(500))
  for (nBoot in list(NULL, 4)) {
    plan <- exactly(dpGLM("mechanismObjective", "numeric", 500, list(c(0, 1), c(0, 1)),
      y ~ variance, "ols", 1e9, nBoot = nBoot, missing = "impute"))
    result <- plan$release(rows)
    expect_named(coef(result), c("intercept", "variance"))
    # Parts are dealt at random, so their means are random too.
    if (is.null(nBoot)) {
      expect_equal(unname(coef(result)), unname(coef(stats::lm(y ~ variance, rows))),
        tolerance = 0.01)
    }
    expect_true("residual variance" %in% c(rownames(result$release), names(result$release)))
  }
})
