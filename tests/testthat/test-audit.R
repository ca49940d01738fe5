# An honest audit at this confidence blames a mechanism with probability 1e-9 at most.
sure <- 1 - 1e-9

pair_of_sums <- function() list(list(c(0, 0), c(0, 1)))

# Laplace noise on a public grid. `scale` is 1 / loss.
noisy_sum <- function(scale) {
  function(data) {
    round((sum(data) + stats::rexp(1, 1 / scale) - stats::rexp(1, 1 / scale)) * 64) / 64
  }
}

# Ends after a number of draws, never by the clock. The broken mechanisms of this file are refuted
# after at most a thirteenth of their draws. So log wealth would end at 325 or more, where 25 is
# enough. Its variance is about twice its mean, so a miss is eleven deviations away.
audited <- function(mechanism, neighbours = pair_of_sums(), claim = dp_epsilon(1), ...,
                    draws = 20000, confidence = sure) {
  dp_audit(mechanism, neighbours, claim, draws = draws, confidence = confidence, seconds = 1e6, ...)
}

test_that("D_AUD_1 honest mechanisms are not refuted, and those with half of the noise are", {
  honest <- audited(noisy_sum(1), draws = 10000)
  expect_identical(honest$status, "not refuted")
  expect_lt(honest$bound, 1)
  # The loss 2 has a growth of .06 for each draw, and about 20 + log(40) is needed: 400 draws on
  # average. In 20,000 draws a miss is rarer than 1e-9.
  broken <- audited(noisy_sum(1 / 2))
  expect_identical(broken$status, "refuted")
  expect_gte(broken$bound, 1)
  expect_lt(broken$bound, 2)
  expect_true(broken$again()$refuted)
})

test_that("D_AUD_1 statistics and queries are not refuted, and pass their claim by their map", {
  local_verbs()
  mean <- dpMean("x", n = 4, rng = c(0, 10), epsilon = 1)
  honest <- audited(mean, NULL, NULL, draws = 8000)
  expect_identical(honest$claim, "epsilon 1")
  expect_identical(honest$status, "not refuted")
  expect_gte(honest$pairs, 13)
  stronger <- audited(mean, NULL, dp_epsilon(0.4), draws = 170000)
  expect_true(stronger$refuted)
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(id = id),
    dp_domain(x = dp_int(0, 10), g = dp_levels("a", "b"))
  )
  query <- summarise(group_by(dp_truncate(table, max_rows = 2), g), n = dp_count(), s = dp_sum(x))
  found <- audited(query, NULL, draws = 3000)
  expect_identical(found$status, "not refuted")
  expect_identical(found$relation, "unit")
})

test_that("what no noise hides is found at once: names, errors, warnings, atoms and bits", {
  shows <- list(
    text = function(data) if (sum(data) > 0) "many" else "few",
    name = function(data) stats::setNames(0, sum(data)),
    length = function(data) numeric(sum(data)),
    error = function(data) if (sum(data) > 0) stop("no") else 1,
    warning = function(data) {
      if (sum(data) > 0) warning("rare")
      1
    },
    missing = function(data) if (sum(data) > 0) NA_real_ else 1,
    nested = function(data) list(a = list(b = sum(data) > 0)),
    number = function(data) sum(data)
  )
  for (name in names(shows)) expect_true(audited(shows[[name]])$refuted, info = name)
  # Noise on one of two grids, far wider than the difference.
  bits <- function(data) {
    step <- if (sum(data) > 0) 1 else 1 / 2
    step * floor(stats::rnorm(1, sd = 1000) / step)
  }
  expect_true(audited(bits)$refuted)
  without <- audited(bits, observe = "release")
  expect_false(any(grepl("bit", without$expert)))
})

test_that("one of many numbers, sums of numbers and products of numbers are found", {
  laplace <- function(n) stats::rexp(n) - stats::rexp(n)
  grid <- function(x) round(16 * x) / 16
  one <- function(data) grid(laplace(6) + c(0, 0, 0, 0, 3 * sum(data), 0))
  expect_true(audited(one)$refuted)
  sums <- function(data) grid(laplace(6) + sum(data))
  expect_true(audited(sums)$refuted)
  # Each of two numbers alone has the same law for both neighbours.
  product <- function(data) {
    x <- stats::rnorm(1)
    grid(3 * c(x, if (sum(data) > 0) -x else x))
  }
  expect_true(audited(product)$refuted)
})

test_that("a delta is counted: a rare outcome is no evidence up to its probability", {
  shows <- function(delta) function(data) sum(data) > 0 && stats::runif(1) < delta
  expect_false(audited(shows(0.02), claim = dp_epsilon(0.1, 0.02), draws = 20000)$refuted)
  # Five times the delta: growth of about .03 for each draw.
  expect_true(audited(shows(0.1), claim = dp_epsilon(0.1, 0.02), draws = 40000)$refuted)
})

test_that("a claim in rho is tested along its curve", {
  gaussian <- function(sigma) {
    function(data) round(16 * (sum(data) + stats::rnorm(1, sd = sigma))) / 16
  }
  honest <- audited(gaussian(1), claim = dp_zcdp(0.5), draws = 10000)
  expect_false(honest$refuted)
  expect_identical(honest$measure, "rho")
  expect_true(audited(gaussian(1 / 3), claim = dp_zcdp(0.5), draws = 60000)$refuted)
})

test_that("your evidence is used beside what is learned", {
  # The sign of the product of nine numbers: no expert of the package looks at it.
  signs <- function(data) {
    x <- sample(c(-1, 1), 9, TRUE)
    if (sum(data) > 0 && prod(x) < 0) x[[1]] <- -x[[1]]
    x
  }
  expect_true(audited(signs, evidence = prod)$refuted)
  expect_identical(audited(signs, evidence = prod)$expert, "your evidence")
  expect_error(audited(signs, evidence = function(x) "a"), class = "dp_error_invalid_argument")
})

test_that("draws that are all errors, or all the same, are not called private", {
  failed <- audited(function(data) stop("wrong call"), draws = 1000)
  expect_identical(failed$status, "no_release")
  expect_identical(audited(function(data) 7, draws = 1000)$status, "constant")
  expect_match(format(failed)[[1]], "every draw was an error")
})

test_that("D_AUD_1 a mutant that learns from the batch that it judges blames an honest mechanism", {
  # Each release is a new text, so a rule that has seen it names it right.
  new_text <- function(data) paste(stats::runif(1))
  expect_false(audited(new_text, draws = 3000)$refuted)
  judge <- judge_batch
  local_replaced("judge_batch", function(track, seen, sides, audit, plan) {
    former <- mget(c("seen", "sides"), track)
    track$seen <- join_seen(track$seen, seen)
    track$sides <- c(track$sides, sides)
    judge(track, seen, sides, audit, plan)
    list2env(former, track)
  })
  expect_true(audited(new_text, draws = 3000)$refuted)
})

test_that("D_AUD_1 a mutant whose coins have a pattern blames a mechanism that counts its calls", {
  counting <- function() {
    calls <- 0
    function(data) {
      calls <<- calls + 1
      calls %% 2
    }
  }
  expect_false(audited(counting(), draws = 3000)$refuted)
  local_replaced("fair_sides", function(n) rep_len(1:2, n))
  expect_true(audited(counting(), draws = 3000)$refuted)
})

test_that("D_AUD_1 wealth is shared among pairs, not taken from the luckiest one", {
  tracks <- lapply(c(0, log(10), -Inf), function(wealth) list(wealth = wealth))
  expect_equal(total_wealth(list(pairs = tracks)), log(11 / 3))
})

test_that("pairs are dropped by promised growth, not by wealth", {
  claim <- claim_of_loss(dp_epsilon(1), 1e5, NULL)
  plan <- list(claim = claim, factors = factors_of_claim(claim))
  track <- function(counts, wealth) {
    list(
      bets = list(shape = list(list(counts = counts, used = 1))),
      wealth = rep(wealth, length(claim$amounts))
    )
  }
  promising <- track(c(90, 10, 100), -1)
  lucky <- track(c(60, 40, 100), 2)
  expect_gt(promise_of_track(promising, plan), promise_of_track(lucky, plan))
})

test_that("D_AUD_2 a query of a table with data is refused before any draw", {
  local_verbs()
  session <- plenty()
  table <- dp_tbl(session, data.frame(x = 1:3), dp_unit(rows = 1), dp_domain(x = dp_int(0, 9)))
  before <- dp_remaining(session)
  expect_error(dp_audit(count(table), claim = dp_epsilon(1)), class = "dp_error_audit_data")
  expect_identical(dp_remaining(session), before)
})

test_that("D_AUD_3 an audit leaves R's random numbers alone", {
  withr::local_seed(1)
  before <- .Random.seed
  audited(dpMean("x", n = 4, rng = c(0, 10), epsilon = 1), NULL, NULL, draws = 2000)
  expect_identical(.Random.seed, before)
})

test_that("D_AUD_3 coins are fair and independent of R's seed", {
  sides <- function() {
    withr::local_seed(1)
    fair_sides(10000)
  }
  first <- sides()
  expect_true(all(first %in% 1:2))
  expect_true(can_occur(tabulate(first, 2), 10000, 0.5))
  expect_false(identical(first, sides()))
  expect_length(fair_sides(3), 3)
})

test_that("power is always stated, and falls with more draws", {
  few <- audited(noisy_sum(1), draws = 3000, confidence = 0.99)
  many <- audited(noisy_sum(1), draws = 40000, confidence = 0.99)
  expect_named(few$power, c("0.9", "0.99"))
  expect_lte(many$power[["0.9"]], many$power[["0.99"]])
  expect_gt(many$power[["0.9"]], 1)
  for (audit in list(few, many)) {
    expect_match(paste(format(audit), collapse = " "), "It would have noticed|too few draws")
  }
})

test_that("an interrupt ends an audit", {
  calls <- 0
  mechanism <- function(data) {
    calls <<- calls + 1
    if (calls == 10) rlang::interrupt()
    1
  }
  interrupted <- tryCatch(audited(mechanism), interrupt = function(condition) "interrupted")
  expect_identical(interrupted, "interrupted")
  expect_equal(calls, 10)
})

test_that("a time limit of the caller passes through errors that are releases", {
  limit <- gettext("reached elapsed time limit", domain = "R")
  expect_error(audited(function(data) stop(simpleError(limit))), limit)
})

test_that("audits print, plot and give tables", {
  audit <- audited(noisy_sum(1 / 2), dp_neighbours(c(0, 1), n = 2), draws = 80000)
  shown <- utils::capture.output(print(audit))
  expect_match(shown[[1]], "^Audit of a function: refuted$")
  expect_match(format(audit, style = "sentence"), "^An audit refuted the claim epsilon 1")
  tidied <- generics::tidy(audit)
  expect_named(tidied, c("pair", "label", "draws", "bound"))
  expect_identical(nrow(tidied), audit$pairs)
  expect_equal(sum(tidied$draws), audit$draws)
  expect_identical(generics::glance(audit)$status, "refuted")
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  withr::defer(grDevices::dev.off())
  expect_invisible(plot(audit))
  for (what in c("bound", "roc")) {
    expect_s3_class(print(ggplot2::autoplot(audit, what = what)), "ggplot")
  }
})

test_that("wrong arguments are refused before any draw", {
  never <- function(data) stop("a draw")
  refused <- list(
    neighbours = quote(dp_audit(never, claim = dp_epsilon(1))),
    neighbours = quote(dp_audit(never, list(1, 2), dp_epsilon(1))),
    claim = quote(dp_audit(never, pair_of_sums())),
    claim = quote(dp_audit(never, pair_of_sums(), 1)),
    claim = quote(dp_audit(never, pair_of_sums(), dp_epsilon(1000))),
    mechanism = quote(dp_audit(1, pair_of_sums(), dp_epsilon(1))),
    confidence = quote(audited(never, confidence = 1)),
    draws = quote(audited(never, draws = 0)),
    observe = quote(audited(never, observe = "clock")),
    evidence = quote(audited(never, evidence = 1)),
    stop = quote(audited(never, stop = "soon")),
    observe = quote(audited(dpMean("x", n = 4, rng = c(0, 1), epsilon = 1), observe = "time"))
  )
  for (i in seq_along(refused)) {
    error <- expect_error(eval(refused[[i]]), class = "dp_error_invalid_argument")
    expect_identical(error$argument, names(refused)[[i]])
  }
})

test_that("two functions are drawn without data, and time is observed only by name", {
  two <- list(function() "a", function() "b")
  expect_true(dp_audit(two, claim = dp_epsilon(1), draws = 1000, seconds = 1e6)$refuted)
  same <- list(function() sum(stats::runif(10)), function() sum(stats::runif(10)))
  timed <- dp_audit(same, claim = dp_epsilon(1), draws = 500, seconds = 1e6,
    observe = c("release", "time")
  )
  expect_true("time" %in% timed$observe)
})
