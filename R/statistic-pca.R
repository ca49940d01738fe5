#' Differentially private principal components
#'
#' `dpPCA()` plans a release of the first principal components of several columns: their loadings
#' and variances. Building the plan checks the arguments and chooses the noise without reading data.
#' Each call of `release()` spends `epsilon`, or `rho`, on all components together.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. Rows are used
#' as in [dpCovariance()]: clamped, imputed, `n` of them. The component scores of the rows are not
#' released. For other rows, compute them as `(x - center) \%*\% loadings`.
#'
#' By position, the arguments are `columns, k, n, rng, epsilon`, as in earlier versions.
#'
#' @inheritParams dpCorrelation
#' @inheritParams dpMean
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0. Values of 3 and more give a
#'   warning.
#' @param mechanism (`character(1)`) Noise mechanism, public, in any letter case:
#'   `"mechanismLaplace"` or `"mechanismGaussian"`. If you give `rho` or `delta`, the noise is
#'   Gaussian.
#' @param k (whole number) Number of components, public, from 1 to the number of columns.
#' @param scale (`character(1)`) Unit of the columns, public. `"none"` keeps their units, so columns
#'   with wide ranges have most of the variance and of the noise. `"public"` divides columns by half
#'   the width of their public range. Columns are never divided by their standard deviations, which
#'   are private.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses the rows without a missing
#'   value in `columns`. `"impute"` draws values from `imputeRng`. The default is `"impute"` if you
#'   give `imputeRng`, and `"drop"` otherwise.
#' @param law (`character(1)`) Assumption of the intervals about the population: `"any"` or `NULL`
#'   for any law within `rng`, or `"normal"`. Intervals for `"normal"` are narrower, but cover too
#'   rarely if columns are skewed or have heavy tails.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpPCA`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `columns`, `varType`, `n`, `epsilon`, `delta`, `rho`,
#'   `sigma`, `k`, `scale`, `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`, because it depends on the
#'   data), `imputeRng`, `missing`, `law`, `input_metric`, `d_in`, `measurement` and `result`, a
#'   [dp_result] with
#'
#' * `release`: the loadings, a data frame with a row for each column and a column for each
#'   component, `PC1` and so on. They are orthogonal vectors of length 1 whose largest element is
#'   positive.
#' * `variable`, `accuracy`, `epsilon`.
#' * `variance`: variance of each component, at least 0, in the units given by `scale`.
#' * `intervals`: a matrix with a row for each variance: intervals for the variances in the
#'   population, clamped to `rng`. If [bounds()] found a range, there are none.
#' * `means`: the mean of the rows, in the units of the columns.
#' * `status`: `"ok"`, or `"noise"` if noise could explain the variance of a component.
#' @section How it works: The sums, and the sums of products, of all columns are released together,
#'   as in [dpCovariance()], with one loss. Loadings are eigenvectors of their covariance matrix. To
#'   first order, noise E moves the variance of a component v by `v'E v`. The largest of P
#'   eigenvalues of noise is about `sqrt(2 P)` standard deviations of that. If a variance is below
#'   this multiple, or below three standard deviations, `status` is `"noise"`.
#'
#'   Intervals hold for any noise. All eigenvalues move by at most the norm of E (Weyl). A bound for
#'   sums of random matrices limits this norm (Tropp). Let g be the distance to the next eigenvalue.
#'   If g is more than twice the norm, an eigenvalue moves by `v'E v` and at most
#'   `|E|^2 / (g - 2 |E|)` (Kato and Temple). Each end of an interval uses the smaller bound.
#'
#'   The sampling variance of a component's variance v is bounded as in [dpVariance()]. With
#'   loadings a and half-widths h, a component is within sum |a| h of the middle, and so within B of
#'   its mean. So the fourth moment is at most B^2 v, and the sampling variance is about B^2 v / n.
#'   Intervals use the largest plausible v and B under the noise, so they are conservative. With
#'   `law = "normal"`, the sampling variance is 2 v^2 / (n - 1).
#' @section Missing values: With `missing = "drop"`, the moments use only rows without a missing
#'   value, and their count is released with them. `result` also has `nPresent`, the noisy count,
#'   and `share_missing`. `status` is `"few"` if the noise hides how many rows are left. All numbers
#'   are then `NA`.
#' @section Gaussian noise: Like [dpCovariance()]. With a delta of 1e-6, Gaussian noise is smaller
#'   than Laplace noise from about six columns on.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise`, `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, Talwar, Thakurta and Zhang (2014), *Analyze Gauss: Optimal Bounds for
#'   Privacy-Preserving Principal Component Analysis*. Stewart and Sun (1990), *Matrix Perturbation
#'   Theory*. Tropp (2012), *User-Friendly Tail Bounds for Sums of Random Matrices*. Blum, Dwork,
#'   McSherry and Nissim (2005), *Practical Privacy: The SuLQ Framework*.
#' @seealso [dpCovariance()], [dpCorrelation()]
#' @examples
#' plan <- dpPCA(c("age", "educ", "income"), k = 2,
#'   n = 10000, rng = list(c(18, 93), c(1, 16), c(0, 200000)), epsilon = 1, scale = "public"
#' )
#' result <- plan$release(PUMS5extract10000)
#' result$release
#' result
#' @export
dpPCA <- new_statistic("dpPCA", "Principal components of columns", "principal components",
  arguments = function(columns, k, n, rng = NULL, epsilon = NULL, scale = "none",
                       mechanism = "mechanismLaplace", varType = "numeric", imputeRng = NULL,
                       alpha = 0.05, n_check = "error", missing = c("drop", "impute"), rho = NULL,
                       delta = NULL, law = NULL) {
  },
  required = c("columns", "k", "n", "rng", "epsilon"),
  or = list(epsilon = "rho"),
  takes = c(joint_kinds(loss_or_rho()), list(
    mechanism = one_of(additive_mechanisms), k = whole_number(min = 1),
    scale = one_of(c("none", "public")), law = law_of_columns()
  )),
  plan = function(...) plan_pca(...),
  fields = c(pca_fields, "law", gaussian_fields),
  numbers = c("n", "columns", "k", "range"), others = c("n", "columns", "k")
)

plan_pca <- function(args, call) {
  args <- with_mechanism(args, call)
  if (args$k > length(args$columns)) {
    stop_argument("at most the number of columns", name_public(args$k), "k", call)
  }
  args$law <- args$law %||% column_laws[[1]]
  plan_joint(args, args$columns, paste("principal components of", toString(args$columns)),
    c(pca_fields, "law", gaussian_fields), pca_result, call,
    class = "dp_pca_result", covers = covers_of_columns(args)
  )
}

# Methods' names have dots.
