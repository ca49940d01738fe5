# Answers of the mechanism classes: the function runs on prepared data, and its answer gets noise.

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
