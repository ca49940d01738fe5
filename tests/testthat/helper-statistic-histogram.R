# Facts about dpHistogram() for tests, see helper-statistic-facts.R.

tested_histogram <- list(
  arguments = quote(list(
    dpHistogram = c(ranged, list(nBins = 2, epsilon = 1)),
    `dpHistogram of texts` = c(texts, list(bins = c("a", "b"))),
    `dpHistogram, stability` = c(column, list(binWidth = 1, epsilon = 1))
  )),
  examples = quote(list(
    histogram = form(histogram_of(rng = c(0, 16), nBins = 4), 4, c("counts", "cdf")),
    gaussian_histogram = form(
      histogram_of(rng = c(0, 16), nBins = 4, epsilon = NULL, rho = 0.01), 4, c("counts", "cdf")
    ),
    logical = form(histogram_of(varType = "logical", variable = "sex"), 3, "counts"),
    texts = form(
      histogram_of(varType = "character", variable = "job", bins = jobs[1:2], other = TRUE), 3,
      "counts"
    ),
    stability = form(
      histogram_of(varType = "character", variable = "job", epsilon = 1), 3, "counts"
    ),
    grid = form(histogram_of(variable = "age", binWidth = 100, epsilon = 1), 1, "counts"),
    none = form(histogram_of(
      variable = "age", n = 2, binWidth = 1, epsilon = 1, n_check = "resize"
    ), 0, character())
  )),
  guarantees = quote(list(
    `dpHistogram, Gaussian` = with_build(counts, function(epsilon) {
      histogram_of(variable = "x", n = 4, rng = c(0, 10), nBins = 2, epsilon = NULL,
        rho = epsilon^2 / 2)
    }),
    dpHistogram = with_build(counts, counts_for(laplace)),
    `dpHistogram, snapping` = with_build(counts, counts_for(snapping)),
    `dpHistogram, stability` = with_build(stable, function(epsilon) {
      histogram_of(varType = "character", variable = "x", n = 60, epsilon = epsilon, delta = 2e-4)
    })
  )),
  audits = quote(list(
    dpHistogram = histogram_case("mechanismLaplace", 2, 17000),
    `dpHistogram, snapping` = histogram_case("mechanismSnapping", 4, 80000),
    `dpHistogram, stability` = stable_case(function(epsilon) {
      histogram_of(varType = "character", variable = "x", n = 60, epsilon = epsilon, delta = 2e-4)
    }),
    `dpHistogram, Gaussian` = gaussian_case(1, ends, c(-1, 1), function(...) {
      histogram_of(mechanism = "mechanismGaussian", variable = "x", n = 4, rng = c(0, 10),
        nBins = 2, ...)
    })
  )),
  random = quote(list(
    `dpHistogram, Gaussian` = function() {
      c(column(c("numeric", "logical")), list(nBins = whole(2, 9), rho = epsilon()))
    },
    dpHistogram = function() c(column(c("numeric", "logical")), list(nBins = whole(2, 9)), loss()),
    `dpHistogram of texts` = function() {
      c(list(varType = "character", variable = "x", n = 50, bins = bins()), loss())
    },
    `dpHistogram, stability` = function() {
      c(column("numeric")[-4], list(binWidth = 1, epsilon = epsilon(), delta = delta()))
    }
  )),
  covers = quote(list(
    dpHistogram = histogram_by(laplace),
    `dpHistogram, snapping` = histogram_by(snapping),
    # Large enough to be released except in one release of 1e7, which would count as a miss.
    `dpHistogram, stability` = way(
      histogram_of(varType = "character", variable = "kind", n = 50, epsilon = 2.9, delta = 3e-4),
      function(result) isTRUE(within(counts[["a"]], unlist(result$intervals["a", ])))
    )
  ))
)
