#' Mechanisms as objects
#'
#' These objects add noise to an answer that you compute. `evaluate(fun, x, sens)` prepares `x` as
#' the statistics do, applies `fun`, and releases the answer. The noise makes one replaced value
#' cost at most `epsilon` (and `delta`). Each call spends that again.
#'
#' `sens` is your promise. Nothing can verify how far one value of `x` moves the answer of `fun`, in
#' floating-point arithmetic. If that is not obvious, use a statistic such as [dpMean()], whose sums
#' are exact. `fun` must use only its argument. A public stand-in for `x` has all values at the
#' middle of `rng`, or at the first of `bins`. If `fun` fails, or returns a different number of
#' finite numbers than for this stand-in, its answer to the stand-in is used.
#'
#' The run time and output of `fun` are not hidden. If anyone else can see them, they must not
#' depend on the values of `x`.
#'
#' * `mechanismLaplace`: discrete Laplace noise of scale `sens / epsilon`, where `sens` is the L1
#'   sensitivity.
#' * `mechanismGaussian`: discrete Gaussian noise, where `sens` is the L2 sensitivity. It uses the
#'   smallest scale whose concentrated loss `rho = (sens / scale)^2 / 2` converts tightly to
#'   `epsilon` and `delta`. This is a few percent above [gaussianAnalyticSigma()], but is also
#'   proved for the discrete noise.
#' * `mechanismSnapping`: Laplace noise, rounded to a coarse public grid and clamped, see
#'   [snappingParams()]. Both steps act on the noisy number, which is already public.
#' * `mechanismExponential`: `fun` gives a score for each of `bins`, and `sens` is the largest
#'   change of a score. Permute-and-flip releases one of `bins` with a high score, and is never
#'   worse than the exponential mechanism. Each of them is possible.
#' * `mechanismStability`: `fun` gives one text for one value. The release counts each text, if the
#'   count is above a threshold. `sens` is 2 and cannot be changed.
#' * `mechanism`: only the fields.
#'
#' `mechanismLaplace(...)` and `mechanismLaplace$new(...)` do the same, as in the other classes.
#'
#' @param ... Fields, by name: `epsilon` (`numeric(1)`, above 0), or `accuracy` with `sens`, `delta`
#'   (Gaussian and Stability, above 0 and below 1, `2^-30` by default), `varType` (`"numeric"`,
#'   `"integer"`, `"logical"`, `"character"` or `"factor"`), `rng` (`numeric(2)`, for numbers),
#'   `imputeRng`, `bins` (`character`, for texts, where any other text counts as the first bin), `n`
#'   (number of values, public, by default the length of `x`), `alpha` (0.05), `sens`, `minB`
#'   (Snapping: a bound on the magnitude of the answer) and `gamma` (Snapping: the probability that
#'   the clamp changes the answer, 0.05), `mechanism`, `name`, `variable`, `rngFormat` (`"vector"`).
#' @returns An R6 object. You can read all its fields, but not change them. Methods:
#' * `$evaluate(fun, x, sens, ...)`: releases the answer, keeps the result and returns it. `fun` is
#'   a function of the prepared `x` and `...`. If it has an argument named after a field, such as
#'   `n`, it gets the value of the field. `x` is a plain vector, or for texts a factor. `sens` is
#'   the sensitivity, unless it is a field. The result is a [dp_result] with `release`, `accuracy`,
#'   `epsilon`, `delta` if there is one, and `interval` for numbers, all lower ends before all upper
#'   ends.
#' * `$getAccuracy(sens)`, `$getEpsilon(sens, accuracy)`: the accuracy, and the loss for a given
#'   accuracy. With probability `1 - alpha`, the error of each number of the answer stays within
#'   `accuracy`. For the exponential mechanism, the error is the score below the best one. See
#'   [statistic_accuracy] and [mechanism_formulas].
#' * `$getFields()`: returns all fields as a list. `$copy()`: returns a separate object.
#' @section Errors: `dp_error_invalid_argument` for invalid fields, and for an `x` of another type,
#'   always with the same message.
#' @section Warnings: `dp_warning_large_epsilon`. `dp_warning_delta` if `delta` has no effect.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Bun and Steinke (2016), *Concentrated Differential Privacy*. Mironov
#'   (2012), *On Significance of the Least Significant Bits for Differential Privacy*. McKenna and
#'   Sheldon (2020), *Permute-and-Flip*.
#' @examples
#' laplace <- mechanismLaplace(epsilon = 1, varType = "numeric", rng = c(0, 5))
#' laplace$evaluate(sum, c(0, 1, 2, 9), sens = 5)
#' laplace$getAccuracy(sens = 5)
#'
#' gaussian <- mechanismGaussian(epsilon = 1, delta = 1e-6, varType = "numeric", rng = c(0, 5))
#' gaussian$evaluate(cumsum, c(0, 1, 2, 4), sens = 5 * sqrt(4))$release
#'
#' choice <- mechanismExponential(epsilon = 1, varType = "character", bins = c("a", "b", "c"))
#' choice$evaluate(table, c("a", "b", "b", "a", "a"), sens = 1)$release
#' @name mechanisms
NULL

mechanism_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "epsilon", "delta", "rng", "rngFormat", "alpha",
  "accuracy", "imputeRng", "sens", "bins", "minB", "gamma"
)

# R6 provides these two to methods. R CMD check misses them in methods made in a function.
utils::globalVariables(c("self", "private"))

# Built for each class, because a generator has the arguments of its class.
start_mechanism <- function(...) {
  private$.plan <- list(fields = check_mechanism(list(...), class(self)[[1]], private$.law))
}

dpMechanism <- new_generator(R6::R6Class("dpMechanism",
  public = list(
    initialize = start_mechanism,
    getFields = function() c(private$.plan$fields, list(result = private$.result)),
    copy = function() self$clone(),
    print = function(...) {
      cat(format(self), sep = "\n")
      invisible(self)
    }
  ),
  active = c(
    plan_fields(mechanism_fields),
    list(result = function(value) read_only(private$.result, value, "result"))
  ),
  private = list(.plan = NULL, .result = NULL, .law = NULL)
))

# A law has the accepted types of data, `accuracy(sens, fields)` and its inverse
# `epsilon(sens, accuracy, fields)`, a flag for delta, and `evaluate(fun, x, sens, fields)`.
new_mechanism <- function(classname, law) {
  force(classname)
  force(law)
  new_generator(R6::R6Class(classname,
    inherit = class_of(dpMechanism),
    public = list(
      initialize = start_mechanism,
      evaluate = function(fun, x, sens = self$sens, ...) {
        if (missing(fun)) stop_argument("given", "missing", "fun", call = NULL)
        if (missing(x)) stop_argument("given", "missing", "x", call = NULL)
        private$.result <- evaluate_mechanism(
          private$.law, private$.plan$fields, fun, x, sens, list(...)
        )
        private$.result
      },
      getAccuracy = function(sens = self$sens) {
        check_number(sens, min = 0, call = NULL)
        private$.law$accuracy(sens, private$.plan$fields)
      },
      getEpsilon = function(sens = self$sens, accuracy = self$accuracy) {
        check_number(sens, min = 0, call = NULL)
        check_number(accuracy, above = 0, call = NULL)
        private$.law$epsilon(sens, accuracy, private$.plan$fields)
      }
    ),
    private = list(.law = law)
  ))
}

#' @rdname dp_result
#' @export
format.dpMechanism <- function(x, ...) format_fields(x, "for one replaced value")

#' @rdname mechanisms
#' @export
mechanism <- new_generator(R6::R6Class("mechanism",
  inherit = class_of(dpMechanism), public = list(initialize = start_mechanism)
))

number_types <- c(statistic_types, "character", "factor")

#' @rdname mechanisms
#' @export
mechanismLaplace <- new_mechanism("mechanismLaplace", list(
  types = number_types, numbers = TRUE, selects = FALSE, approximate = FALSE,
  evaluate = laplace_release,
  accuracy = function(sens, fields) laplaceGetAccuracy(sens, fields$epsilon, fields$alpha),
  epsilon = function(sens, accuracy, fields) laplaceGetEpsilon(sens, accuracy, fields$alpha)
))

#' @rdname mechanisms
#' @export
mechanismGaussian <- new_mechanism("mechanismGaussian", list(
  types = number_types, numbers = TRUE, selects = FALSE, approximate = TRUE,
  evaluate = gaussian_release,
  accuracy = function(sens, fields) {
    gaussianGetAccuracy(sens, fields$epsilon, fields$delta, fields$alpha)
  },
  epsilon = function(sens, accuracy, fields) {
    gaussianGetEpsilon(sens, accuracy, fields$delta, fields$alpha)
  }
))

#' @rdname mechanisms
#' @export
mechanismSnapping <- new_mechanism("mechanismSnapping", list(
  types = number_types, numbers = TRUE, selects = FALSE, approximate = FALSE,
  evaluate = snapping_release,
  accuracy = function(sens, fields) snappingGetAccuracy(sens, fields$epsilon, fields$alpha),
  epsilon = function(sens, accuracy, fields) snappingGetEpsilon(sens, accuracy, fields$alpha)
))

#' @rdname mechanisms
#' @export
mechanismExponential <- new_mechanism("mechanismExponential", list(
  types = number_types, numbers = FALSE, selects = TRUE, approximate = FALSE,
  evaluate = selection_release,
  accuracy = function(sens, fields) {
    exponentialGetAccuracy(sens, fields$epsilon, length(fields$bins), fields$alpha)
  },
  epsilon = function(sens, accuracy, fields) {
    exponentialGetEpsilon(sens, accuracy, length(fields$bins), fields$alpha)
  }
))

#' @rdname mechanisms
#' @export
mechanismStability <- new_mechanism("mechanismStability", list(
  types = c("character", "factor"), numbers = FALSE, selects = FALSE, approximate = TRUE,
  evaluate = stability_release,
  accuracy = function(sens, fields) {
    stabilityGetAccuracy(sens, fields$epsilon, fields$delta, fields$alpha)
  },
  epsilon = function(sens, accuracy, fields) {
    stabilityGetEpsilon(sens, accuracy, fields$delta, fields$alpha)
  }
))

# Checks of the fields and the data of the mechanism classes ---------------------------------------

# Fields in canonical form. A missing field is NULL.
check_mechanism <- function(given, class, law) {
  call <- as.call(list(as.name(class)))
  unknown <- setdiff(if (length(given) > 0) names(given) %||% "", mechanism_fields)
  if (length(unknown) > 0) {
    arg <- if (unknown[[1]] == "") "..." else unknown[[1]]
    stop_argument(paste("one of the fields", toString(mechanism_fields)), "another name", arg, call)
  }
  fields <- stats::setNames(vector("list", length(mechanism_fields)), mechanism_fields)
  fields[names(given)] <- given
  fields$alpha <- as.double(check_probability(fields$alpha %||% 0.05, arg = "alpha", call = call))
  if (is.null(law)) {
    return(fields)
  }
  fields$mechanism <- check_name(fields$mechanism %||% class, class, "mechanism", call)
  fields$name <- fields$name %||% paste("answer of the", sub("^mechanism", "", class), "mechanism")
  fields <- check_mechanism_data(fields, law, call)
  fields$gamma <- as.double(check_probability(fields$gamma %||% 0.05, arg = "gamma", call = call))
  check_number(fields$sens, min = 0, null = TRUE, arg = "sens", call = call)
  check_number(fields$minB, above = 0, null = TRUE, arg = "minB", call = call)
  fields["delta"] <- list(check_mechanism_delta(fields$delta, law, call))
  check_mechanism_loss(fields, law, call)
}

check_mechanism_data <- function(fields, law, call) {
  fields$varType <- check_name(fields$varType, law$types, "varType", call)
  fields$rngFormat <- check_name(fields$rngFormat %||% "vector", "vector", "rngFormat", call)
  if (!is.null(fields$n)) fields$n <- check_positive_whole(fields$n, "n", call)
  if (fields$varType %in% statistic_types) {
    fields$rng <- check_range(fields$rng, fields$varType, call)
    fields$imputeRng <- check_impute_range(fields$imputeRng, fields$rng, fields$varType, call)
  }
  needs_bins <- law$selects || (law$numbers && !fields$varType %in% statistic_types)
  if (needs_bins || !is.null(fields$bins)) check_mechanism_bins(fields$bins, call)
  fields
}

check_mechanism_bins <- function(bins, call) {
  if (!is.character(bins) || length(bins) < 2 || anyNA(bins) || anyDuplicated(bins)) {
    stop_argument("two or more different texts", describe(bins), "bins", call)
  }
}

check_mechanism_delta <- function(delta, law, call) {
  if (law$approximate) {
    return(as.double(check_probability(delta %||% default_delta, arg = "delta", call = call)))
  }
  if (!is_missing(delta)) {
    warn_dp("`delta` is not used by this mechanism, and 0.", "delta", call = call)
  }
  0
}

check_mechanism_loss <- function(fields, law, call) {
  if (is_missing(fields$epsilon)) {
    if (is_missing(fields$accuracy)) {
      stop_argument("given, or `accuracy` and `sens` in its place", "missing", "epsilon", call)
    }
    check_number(fields$accuracy, above = 0, arg = "accuracy", call = call)
    check_number(fields$sens, above = 0, arg = "sens", call = call)
    fields$epsilon <- law$epsilon(fields$sens, fields$accuracy, fields)
  }
  fields$epsilon <- check_epsilon(fields$epsilon, call)
  if (!is.null(fields$sens)) fields$accuracy <- law$accuracy(fields$sens, fields)
  fields
}

# Answers of the mechanism classes -----------------------------------------------------------------

# The function runs on prepared data, and its answer gets noise.

evaluate_mechanism <- function(law, fields, fun, x, sens, more) {
  check_function(fun, call = NULL)
  check_number(sens, min = 0, arg = "sens", call = NULL)
  numeric <- fields$varType %in% statistic_types
  x <- if (numeric) plain_numbers(x) else plain_texts(x)
  fields$n <- fields$n %||% length(x)
  fields$sens <- sens
  more <- function_args(fun, fields, more)
  answer <- function(x) do.call(fun, c(list(x), more), quote = TRUE)
  released <- with_features(
    c("contrib", "honest-but-curious"), law$evaluate(answer, x, sens, fields)
  )
  measured <- measured_loss(released$measurement)
  loss <- list(accuracy = law$accuracy(sens, fields), epsilon = measured$epsilon)
  if (law$approximate) loss$delta <- measured$delta
  others <- setdiff(names(released), c("release", "measurement"))
  values <- c(released["release"], loss, released[others])
  if (law$numbers) {
    values$interval <- c(values$release - loss$accuracy, values$release + loss$accuracy)
  }
  about <- fields[c("name", "n", "alpha")]
  # The core counts texts of single values.
  if (law$numbers || law$selects) about$unverified <- "sens"
  about$within <- if (law$numbers) {
    "the noise is no larger"
  } else if (law$selects) {
    "the gap to the best score is no larger"
  } else {
    "the count of an omitted value is no larger"
  }
  new_result(values, about)
}

# Arguments of `fun` after its first one: fields with these names, and the additional arguments.
function_args <- function(fun, fields = list(), more = list()) {
  wanted <- setdiff(names(formals(args(fun)))[-1], "...")
  known <- Filter(Negate(is.null), fields[intersect(wanted, names(fields))])
  c(known, more[!rlang::names2(more) %in% names(known)])
}

plain_numbers <- function(x) {
  plain <- typeof(x) %in% c("logical", "integer", "double") && !is.object(x) && is.null(dim(x))
  if (!plain) refuse_vector("a plain logical, integer or double vector")
  as.double(x)
}

plain_texts <- function(x) {
  if (!is_text_column(x)) refuse_vector("texts or a factor")
  core_texts(x)
}

refuse_vector <- function(what) {
  stop_dp("`x` must be {what}.", "invalid_argument", argument = "x", call = NULL)
}

# Maps the data to the answer, which a protected row moves by at most `sens` in the metric. The
# answer to public data gives the length of answers.
answered <- function(fun, sens, fields, metric, size = NULL) {
  numeric <- fields$varType %in% statistic_types
  rows <- if (numeric) {
    prepared_rows(fields$varType, fields$n, fields$rng, fields$imputeRng)
  } else {
    prepared_texts(fields$n)
  }
  bins <- fields$bins
  prepare <- if (numeric) as.double else function(x) factor(ifelse(x %in% bins, x, bins[[1]]), bins)
  middle <- if (numeric) prepared_middle(fields) else bins[[1]]
  callback <- new_callback(fun, "fun", NULL)
  public <- public_answer(callback, prepare(rep(middle, fields$n)))
  respond <- function(x) {
    read <- function(fun) as_answer(fun(prepare(x)), public)
    call_once(callback, read, failed = public)
  }
  if (!is.null(size) && length(public) != size) {
    what <- "a function that returns one score for each of `bins`"
    stop_argument(what, "one that does not", "fun", NULL)
  }
  answers <- vector_domain(atom_domain(.T = "f64", nan = FALSE), size = length(public))
  rows |> then_user_transformation(
    rows("output_domain"), rows("output_metric"), answers, metric,
    function_ = respond,
    stability_map = function(d_in) as.double(d_in) * sens
  )
}

prepared_middle <- function(fields) {
  middle <- fields$rng[[1]] + diff(fields$rng) / 2
  if (fields$varType == "numeric") middle else floor(middle)
}

public_answer <- function(callback, x) {
  read <- function(fun) {
    or_else(list(numbers = plain_numbers_of(fun(x))), function(error) {
      list(numbers = double(), message = plain_message(error))
    })
  }
  answer <- call_once(callback, read, failed = list(numbers = double()))
  if (length(answer$numbers) == 0 || !all(is.finite(answer$numbers))) {
    came <- "one that does not, on public rows"
    if (!is.null(answer$message)) came <- paste0("one that stops on public rows: ", answer$message)
    stop_argument("a function that returns finite numbers", came, "fun", NULL)
  }
  answer$numbers
}

as_answer <- function(answer, public) {
  numbers <- plain_numbers_of(answer)
  usable <- length(numbers) == length(public) && all(is.finite(numbers))
  if (usable) numbers else public
}
