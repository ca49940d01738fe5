#' Mechanisms as objects
#'
#' Noise for an answer of your own: `evaluate(fun, x, sens)` prepares `x` as the statistics do,
#' applies `fun`, and releases the answer with noise that makes one replaced value cost at most
#' `epsilon` (and `delta`). Each call spends that again.
#'
#' `sens` is your word: nothing can verify how far one value of `x` moves the answer of `fun`, in
#' the computer's arithmetic. Where that is not obvious use a statistic such as [dpMean()], whose
#' sums are exact. `fun` must look at nothing but its argument. If `fun` fails, or does not return
#' as many finite numbers as it does for a public stand-in (all values at the middle of `rng`, or
#' the first of `bins`), its value on that stand-in is used.
#'
#' The run time of `fun`, and what it prints or writes, is not hidden: if anybody can see that, it
#' must not depend on the values of `x`.
#'
#' * `mechanismLaplace`: discrete Laplace noise of scale `sens / epsilon`, `sens` being the largest
#'   change in L1 norm.
#' * `mechanismGaussian`: discrete Gaussian noise, `sens` in L2 norm. Its scale is the least whose
#'   concentrated loss `rho = (sens / scale)^2 / 2` is a loss of `epsilon` and `delta` by the tight
#'   conversion: some percent above [gaussianAnalyticSigma()], proved for the discrete noise, too.
#' * `mechanismSnapping`: Laplace noise, rounded to a coarse public grid and clamped, see
#'   [snappingParams()]. All of it is done to the noisy number, which is public already.
#' * `mechanismExponential`: `fun` gives a score for each of `bins`, `sens` being the largest change
#'   of a score; one of `bins` with a high score is released, by permute-and-flip, which is never
#'   worse than the exponential mechanism. Every one of them can come out.
#' * `mechanismStability`: `fun` gives one text for one value; released is how often each text came
#'   up, above a threshold. `sens` is 2 and cannot be changed.
#' * `mechanism`: the fields alone.
#'
#' `mechanismLaplace(...)` and `mechanismLaplace$new(...)` are the same, and so for all.
#'
#' @param ... Fields, by name: `epsilon` (`numeric(1)`, above 0), or `accuracy` with `sens`;
#'   `delta` (Gaussian and Stability, above 0 and below 1, `2^-30` by default); `varType`
#'   (`"numeric"`, `"integer"`, `"logical"`, `"character"` or `"factor"`); `rng` (`numeric(2)`,
#'   for numbers), `imputeRng`; `bins` (`character`: for texts; any other text counts as the first
#'   of them); `n` (number of values, public; that of `x` by default); `alpha` (0.05), `sens`,
#'   `minB` (Snapping: a bound of the answer in magnitude) and `gamma` (Snapping: the probability
#'   that the clamp changes the answer, 0.05); `mechanism`, `name`, `variable`, `rngFormat`
#'   (`"vector"`).
#' @returns An R6 object. All its fields can be read, none can be changed. Methods:
#' * `$evaluate(fun, x, sens, ...)`: releases: `fun` a function of the prepared `x` and `...`, which
#'   gets the value of a field for an argument of its name, such as `n`; `x` a plain vector, or for
#'   texts a factor; `sens` the sensitivity, unless it is a field. Returns and keeps a [dp_result]
#'   with `release`, `accuracy`, `epsilon`, `delta` where there is one, and `interval`, all lower
#'   ends before all upper ends, for numbers.
#' * `$getAccuracy(sens)`, `$getEpsilon(sens, accuracy)`: what stays within `accuracy` with
#'   probability `1 - alpha`: each number of the answer; for the exponential mechanism, the score
#'   below the best one; see [statistic_accuracy] and [mechanism_formulas].
#' * `$getFields()`, a list of all; `$copy()`.
#' @section Errors: `dp_error_invalid_argument` for bad fields, and for an `x` of another type,
#'   always with the same message.
#' @section Warnings: `dp_warning_large_epsilon`; `dp_warning_delta` where it is not used.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*; Bun and Steinke (2016), *Concentrated Differential Privacy*; Mironov
#'   (2012), *On Significance of the Least Significant Bits for Differential Privacy*; McKenna and
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

# R6 gives these two to methods, also to those made in a function, where R CMD check misses them.
utils::globalVariables(c("self", "private"))

# Of every class, since a generator has the arguments of its own class.
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

# A law: the types of data that it takes; `accuracy(sens, fields)` and its inverse, `epsilon(sens,
# accuracy, fields)`; whether it has a delta; and `evaluate(fun, x, sens, fields)`.
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

# The fields in canonical form, NULL where there is none.
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
  # Texts of single values are counted by the core.
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

# What `fun` takes behind its first argument: fields of these names, and what else there is.
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

# From the data to the answer, of which a protected row moves at most `sens` in the metric. The
# answer to public data shows how long answers are.
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

laplace_release <- function(fun, x, sens, fields) {
  measurement <- laplace_answer(fun, sens, fields)
  list(release = measurement(arg = x), measurement = measurement)
}

laplace_answer <- function(fun, sens, fields) {
  answered(fun, sens, fields, l1_distance(.T = "f64")) |> then_protect(fields$epsilon)
}

gaussian_release <- function(fun, x, sens, fields) {
  chain <- answered(fun, sens, fields, l2_distance(.T = "f64"))
  scale <- gaussian_mechanism_scale(sens, fields$epsilon, fields$delta)
  measurement <- build_after("approximate_gaussian", chain, scale, fields$delta)
  list(release = measurement(arg = x), measurement = measurement)
}

selection_release <- function(fun, x, sens, fields) {
  chain <- answered(fun, sens, fields, linf_distance(.T = "f64"), length(fields$bins))
  measurement <- calibrated("make_noisy_max", chain, max_divergence(), least, FALSE,
    d_in = protected_rows, loss = fields$epsilon
  )
  place <- as.double(measurement(arg = x)) + 1
  list(release = fields$bins[[place]], measurement = measurement)
}

# `fun` sees one value at a time, so that a protected row stays one row.
stability_release <- function(fun, x, sens, fields) {
  if (sens != histogram_sensitivity) stop_argument("2", "another number", "sens", NULL)
  delta <- check_stability_delta(fields$delta, fields$n, NULL)
  callback <- new_callback(fun, "fun", NULL)
  read <- function(fun, i) as_text(fun(x[[i]]))
  texts <- as.character(call_each(callback, length(x), read, failed = NA_character_))
  fields$varType <- "character"
  built <- stability_chain(fields, list(epsilon = fields$epsilon, delta = delta))
  counts <- surviving_counts(built$measurement(arg = texts), fields)
  list(release = counts, threshold = built$threshold, measurement = built$measurement)
}

as_text <- function(x) {
  text <- if (is_text_column(x)) core_texts(x)
  if (length(text) == 1) text else NA_character_
}

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
