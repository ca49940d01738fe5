# Facts about dpPCA() for tests, see helper-statistic-facts.R.

tested_pca <- list(
  arguments = quote(list(
    dpPCA = c(pairs[-1], list(columns = c("x", "y"), k = 1, epsilon = 1))
  )),
  examples = quote(list(
    components = form(
      dpPCA(c("income", "educ", "age"), 2, 10000, pums_ranges, epsilon = 1, missing = "impute"), 2,
      c("variances", "loadings")
    ),
    present_components = form(
      dpPCA(c("educ", "age"), 1, 10000, pums_ranges[2:3], epsilon = 1, scale = "public",
        missing = "drop"), 1, c("variances", "loadings")
    ),
    gaussian_components = form(
      dpPCA(c("income", "educ", "age"), 2, 10000, pums_ranges, rho = 0.1, missing = "impute"), 2,
      c("variances", "loadings")
    )
  )),
  guarantees = quote(list(
    # First component of two equal or opposite columns.
    dpPCA = list(
      build = function(epsilon) {
        dpPCA(c("x", "y"), 1, 3, list(c(0, 1), c(0, 1)), epsilon = epsilon, missing = "impute")
      },
      data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)),
      apart = rows(c(1, 0, 0), y = c(0, 1, 1)), exact = 0.5, reach = far * 40, rest = 1e-5,
      number = function(result) prod(result$release$PC1)
    )
  )),
  audits = quote(list(
    `dpPCA, Gaussian` = gaussian_case(sqrt(8) / 3, corner, c(1, 1, 0, 0, 0), function(...) {
      small(dpPCA(c("x", "y"), 1, 3, list(c(0, 1), c(0, 1)), missing = "impute", ...))
    }),
    dpPCA = joint_case(dpPCA, columns = c("x", "y"), k = 1)
  )),
  random = quote(list(
    dpPCA = function() c(joint_columns(), list(k = whole(1, 2), scale = one_of("none", "public")))
  ))
)
