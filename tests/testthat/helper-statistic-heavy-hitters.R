# Facts about dpHeavyHitters() for tests, see helper-statistic-facts.R.

tested_heavy_hitters <- list(
  arguments = quote(list(
    dpHeavyHitters = c(
      list(mechanism = "mechanismExponential"), texts, list(k = 1, bins = c("a", "b"))
    ),
    `dpHeavyHitters, counts` = c(
      list(mechanism = "mechanismLaplace"), texts, list(k = 1, bins = c("a", "b"))
    ),
    `dpHeavyHitters, stability` = c(list(mechanism = "mechanismStability"), texts, list(k = 1)),
    `dpHeavyHitters, set` = c(
      list(mechanism = "mechanismStability"), texts, list(k = 1, bins = c("a", "b"))
    )
  )),
  examples = quote(list(
    hitters = form(of_jobs("mechanismExponential", jobs), 2, "estimates"),
    counted_hitters = form(of_jobs("mechanismLaplace", jobs), 2, "counts"),
    gaussian_hitters = form(
      dpHeavyHitters(variable = "job", n = 10000, k = 2, bins = jobs, rho = 0.1), 2, "counts"
    ),
    stable_hitters = form(of_jobs("mechanismStability"), 2, "counts"),
    stable_set = form(of_jobs("mechanismStability", jobs), 2, "estimates"),
    no_set = form(
      small(dpHeavyHitters("mechanismStability", "character", "job", 9, epsilon = 0.01, k = 1,
        bins = jobs, delta = 1e-12, n_check = "resize")), 0, character()
    )
  )),
  guarantees = quote(list(
    dpHeavyHitters = with_build(texts, function(epsilon) {
      dpHeavyHitters("mechanismExponential", "character", "x", 5, epsilon, k = 1,
        bins = c("a", "b", "c"))
    }),
    `dpHeavyHitters, stability` = with_build(stable, function(epsilon) {
      dpHeavyHitters("mechanismStability", "character", "x", 60, epsilon, k = 2, delta = 2e-4)
    }),
    # A large gap decides whether the set is released.
    `dpHeavyHitters, set` = list(
      build = function(epsilon) {
        dpHeavyHitters("mechanismStability", "character", "x", 8, epsilon, k = 1,
          bins = c("a", "b", "c"), delta = 0.01)
      },
      data = rows(rep(c("a", "b"), c(6, 2))), other = rows(rep(c("a", "b"), c(5, 3))),
      apart = rows(rep(c("a", "b"), c(2, 6))), exact = 1, reach = 0, rest = 0,
      number = function(result) match(result$release, c("a", "b", "c"))
    )
  )),
  audits = quote(list(
    dpHeavyHitters = list(
      make = function(excess) {
        dpHeavyHitters("mechanismExponential", "character", "x", 2, excess, k = 1,
          bins = c("a", "b"))
      },
      data = list(rows(c("a", "b")), rows(c("a", "a"))), evidence = itself, draws = 30000
    ),
    `dpHeavyHitters, counts` = list(
      make = function(excess) {
        dpHeavyHitters("mechanismLaplace", "character", "x", 2, excess, k = 1, bins = c("a", "b"))
      },
      data = list(rows(c("a", "b")), rows(c("a", "a"))),
      # The likelihood ratio depends only on these numbers.
      evidence = function(releases, fields) {
        counts <- in_columns(releases)
        (counts[1, ] >= 2) - (counts[2, ] >= 1)
      },
      draws = 30000
    ),
    `dpHeavyHitters, stability` = stable_case(function(epsilon) {
      dpHeavyHitters("mechanismStability", "character", "x", 60, epsilon, k = 2, delta = 2e-4)
    }),
    # The threshold is 5 and uses half of delta for the gap, which exceeds it half of the time. A
    # mutant has the same threshold but spends less of delta on it.
    `dpHeavyHitters, set` = list(
      make = function(excess) {
        delta <- exp(-5 * excess) / (1 + exp(-excess)) * (1 + 1e-9)
        dpHeavyHitters("mechanismStability", "character", "x", 14, excess, k = 1,
          bins = c("a", "b"), delta = delta)
      },
      data = list(rows(rep(c("a", "b"), c(13, 1))), rows(rep(c("a", "b"), c(12, 2)))),
      evidence = of_each(length), draws = 11000
    ),
    `dpHeavyHitters, Gaussian` = gaussian_case(
      1, list(rows(c("b", "b", "a", "a")), rows(c("a", "b", "a", "a"))), c(-1, 1), function(...) {
        dpHeavyHitters("mechanismGaussian", "character", "x", 4, k = 1, bins = c("a", "b"), ...)
      }
    )
  )),
  random = quote(list(
    `dpHeavyHitters, Gaussian` = function() {
      c(texts(), list(k = whole(1, 3), bins = letters[seq_len(whole(4, 9))], rho = epsilon()))
    },
    dpHeavyHitters = function() {
      c(texts(), list(
        mechanism = one_of("mechanismExponential", "mechanismLaplace"), k = whole(1, 3),
        bins = letters[seq_len(whole(4, 9))], epsilon = epsilon()
      ))
    },
    `dpHeavyHitters, stability` = function() {
      c(texts(), list(
        mechanism = "mechanismStability", k = whole(1, 3), epsilon = epsilon(), delta = delta()
      ))
    },
    `dpHeavyHitters, set` = function() {
      c(texts(), list(
        mechanism = "mechanismStability", k = whole(1, 3), bins = letters[seq_len(whole(4, 9))],
        epsilon = epsilon(), delta = delta()
      ))
    }
  )),
  covers = quote(list(
    dpHeavyHitters = way(
      dpHeavyHitters("mechanismExponential", "character", "kind", 50, 1, k = 1,
        bins = c("a", "b", "c")),
      function(result) counts[[result$release]] >= max(counts) - result$accuracy
    ),
    `dpHeavyHitters, counts` = way(
      dpHeavyHitters("mechanismLaplace", "character", "kind", 50, 1, k = 1,
        bins = c("a", "b", "c")),
      function(result) {
        counts[[result$release]] >= max(counts) - result$accuracy &&
          within(counts[[result$release]], unlist(result$intervals))
      }
    ),
    # Bound for unreleased values: a value with a larger count is released.
    `dpHeavyHitters, stability` = way(
      dpHeavyHitters("mechanismStability", "character", "kind", 50, 2, k = 3, delta = 3e-4),
      function(result) all(names(counts) %in% result$release | counts <= result$accuracy)
    ),
    # A gap above the accuracy is released. Here the gap is 12 and the accuracy 11.
    `dpHeavyHitters, set` = way(
      dpHeavyHitters("mechanismStability", "character", "kind", 50, 2.9, k = 2,
        bins = c("a", "b", "c", "d"), delta = 3e-4),
      function(result) {
        length(result$release) == 2 || counts[["b"]] - counts[["c"]] <= result$accuracy
      }
    )
  ))
)
