#' Search for counterexamples to a stability map
#'
#' `check_stability()` looks for two datasets at distance `d` whose results are further apart than
#' the map claims. It shrinks a counterexample. Use it before [make_user_transformation()] relies on
#' your word.
#'
#' @param transformation A `transformation`, or a function of one dataset.
#' @param domain (`domain`) For a function: a [vector_domain()] of its data. Public.
#' @param metric,output_metric (`metric`) For a function: the metric of datasets, such as
#'   [symmetric_distance()], and of results, such as [absolute_distance()]. Public.
#' @param map (`function(d_in)`) For a function: the claimed largest distance of results. Public.
#' @param d_in (whole numbers) Distances of datasets to try. Public.
#' @param pairs (whole number) Number of pairs to try, besides all small ones. Public.
#' @param seconds (`numeric(1)`) Time after which the search ends. Public.
#' @param values Additional values of rows to try, such as those where a function jumps. Public.
#' @param ... Not used: other names raise an error.
#' @param x (`dp_stability_check`) Check to print.
#' @returns (`dp_stability_check`) A list:
#'   * `refuted`: whether a counterexample was found,
#'   * `kind`: `"distance"` if results are too far apart, `"failure"` if the function fails for one
#'     dataset only, `"domain"` if a result leaves the output domain, or `"state"` if two calls on
#'     the same data differ,
#'   * `ratio`: the largest distance of results over its claim, where 1 is tight,
#'   * `over`: by how much `pair` exceeds its claim, in squares for an L2 distance,
#'   * `pair`: a small pair that violates the map, or else the worst one, `d_in` its distance,
#'     `claim` the claim for it, `results` what the function returns, and `failed` whether it
#'     fails,
#'   * `answered`: `FALSE` if every call failed, so that nothing was checked,
#'   * `pairs`, `seconds`: the number of pairs that were tried, and the time it took.
#' @details
#' The search tries all datasets of up to four rows over a few values with all their neighbours,
#' then random ones of up to 33 rows, or of the declared size. Values are the bounds, the middle,
#' and special numbers: zeros, subnormal and huge numbers, missing and infinite values. Two of three
#' tries edit the worst pair so far. Distances are compared exactly, with no tolerance, so the
#' rounding of sums of doubles is found. R's generator chooses, so `set.seed()` repeats a search.
#'
#' A function that is random has no stability that a pair of results can refute. Its check ends with
#' the kind `"state"`: audit it with [dp_audit()].
#' @section Errors: `dp_error_invalid_argument` for invalid arguments, or for a domain or a metric
#'   of datasets that the search does not know. Errors of the function are results, and raise
#'   nothing.
#' @seealso [dp_audit()] for mechanisms
#' @examples
#' enable_features("contrib")
#' numbers <- vector_domain(atom_domain(bounds = c(0, 10)), size = 10L)
#' # The median of ten values can move by more than 10 / 10.
#' check_stability(median, numbers, change_one_distance(),
#'   absolute_distance(.T = "f64"), \(d_in) d_in
#' )
#' check_stability(c(numbers, symmetric_distance()) |> then_mean())
#' @export
check_stability <- function(transformation, domain = NULL, metric = NULL, output_metric = NULL,
                            map = NULL, d_in = 1:3, pairs = 5000, seconds = 20, values = NULL,
                            ...) {
  check_names(...)
  call <- environment()
  check_given("transformation", call = call)
  whole <- is_numbers(d_in) && length(d_in) > 0 && all(d_in %in% 1:1000)
  if (!whole) stop_argument("whole numbers from 1 to 1000", describe(d_in), "d_in", call)
  check_whole(pairs, min = 1, max = 1e8)
  check_number(seconds, above = 0)
  parts <- if (inherits(transformation, "transformation")) {
    checked_transformation(transformation, list(domain, metric, output_metric, map), call)
  } else {
    checked_function(transformation, domain, metric, output_metric, map, call)
  }
  if (!parts$metric %in% dataset_metrics) {
    stop_argument(paste("one of", toString(dataset_metrics)), parts$metric, "metric", call)
  }
  rows <- rows_of_domain(parts$domain, values, call)
  search <- new_search(parts, rows, sort(d_in), pairs, seconds)
  run_search(search)
  described_search(search)
}

checked_transformation <- function(x, others, call) {
  given <- !vapply(others, is.null, NA)
  if (any(given)) {
    names <- c("domain", "metric", "output_metric", "map")
    stop_argument("left out for a transformation", "given", names[given][[1]], call)
  }
  output <- x("output_domain")
  list(
    name = "a transformation", run = function(data) in_doubles(x(arg = data)),
    map = function(d) as.double(in_doubles(x(d_in = as.integer(d)))), domain = x("input_domain"),
    metric = name_of_metric(x("input_metric")), output = name_of_metric(x("output_metric")),
    inside = function(result) isTRUE(or_else(core_member(output, result), function(e) TRUE))
  )
}

checked_function <- function(fun, domain, metric, output_metric, map, call) {
  if (!is.function(fun)) {
    stop_argument("a transformation or a function", describe(fun), "transformation", call)
  }
  check_class(domain, "domain", call = call)
  check_class(metric, "metric", call = call)
  check_class(output_metric, "metric", call = call)
  check_function(map, call = call)
  list(
    name = "a function", run = fun, map = map, domain = domain,
    metric = name_of_metric(metric), output = name_of_metric(output_metric),
    inside = function(result) TRUE
  )
}

# The search --------------------------------------------------------------------------------------

new_search <- function(parts, rows, distances, pairs, seconds) {
  search <- new.env()
  claims <- vapply(distances, function(d) {
    claim <- or_else(parts$map(d))
    if (is_numbers(claim) && length(claim) == 1 && !is.na(claim)) as.double(claim) else NA_real_
  }, 0)
  if (all(is.na(claims))) {
    stop_argument("a function that returns a number for each `d_in`", "one that does not", "map",
      quote(check_stability())
    )
  }
  list2env(list(
    parts = parts, rows = rows, distances = distances, claims = claims, most = pairs,
    begun = proc.time()[["elapsed"]], seconds = seconds, tried = 0,
    answered = FALSE, worst = list(ratio = -1, over = -Inf, kind = NA_character_)
  ), search)
}

is_search_over <- function(search) {
  proc.time()[["elapsed"]] - search$begun > search$seconds || search$worst$ratio == Inf
}

run_search <- function(search) {
  show <- search_progress()
  for (x in small_datasets(search$rows)) {
    for (y in next_datasets(x, search$rows, search$parts$metric)) consider_pair(search, x, y)
    if (is_search_over(search)) break
  }
  small <- search$tried
  while (search$tried < small + search$most && !is_search_over(search)) {
    show(search)
    x <- next_start(search)
    y <- x
    for (edit in seq_len(sample(c(1, 1, 1, 2, 3), 1))) {
      y <- edited_dataset(y, search$rows, search$parts$metric)
    }
    if (!consider_pair(search, x, y)) search$most <- search$most - 1
  }
  if (!is.na(search$worst$kind)) shrink_worst(search)
}

# A spinner, see progress.R. The datasets are invented.
search_progress <- function(env = parent.frame()) {
  if (!wants_progress()) {
    return(function(search) NULL)
  }
  bar <- cli::cli_progress_bar("Searching", total = NA, .envir = env)
  function(search) cli::cli_progress_update(id = bar, set = search$tried, .envir = env)
}

# Two of three tries start at the worst pair so far.
next_start <- function(search) {
  worst <- search$worst$pair
  if (is.null(worst) || search$worst$ratio <= 0 || stats::runif(1) < 1 / 3) {
    return(random_dataset(search$rows))
  }
  x <- edited_dataset(worst[[sample.int(2, 1)]], search$rows, search$parts$metric)
  double <- is.null(search$rows$size) && stats::runif(1) < 0.2
  if (double && 2 * length(x) <= largest_dataset) c(x, x) else x
}

# Whether the pair could be judged. Keeps it if it is the worst so far.
consider_pair <- function(search, x, y) {
  judged <- judge_pair(search, list(x, y))
  if (is.null(judged)) {
    return(FALSE)
  }
  search$tried <- search$tried + 1
  if (judged$ratio > search$worst$ratio) search$worst <- judged
  TRUE
}

# list(kind, ratio, over, pair, d_in, claim, results). NULL if the pair is not in the domain, is
# further apart than `d_in`, or has no claim.
judge_pair <- function(search, pair) {
  parts <- search$parts
  distance <- dataset_distance(pair[[1]], pair[[2]], parts$metric)
  at <- which(search$distances >= distance & !is.na(search$claims))
  if (length(at) == 0 || !all(vapply(pair, search$rows$member, NA))) {
    return(NULL)
  }
  claim <- search$claims[[at[[1]]]]
  runs <- lapply(pair, run_once, parts)
  failed <- vapply(runs, `[[`, NA, "failed")
  results <- lapply(runs, `[[`, "result")
  judged <- list(
    kind = NA_character_, ratio = 0, over = -claim, pair = pair,
    d_in = search$distances[[at[[1]]]], claim = claim, results = results,
    failed = failed
  )
  if (xor(failed[[1]], failed[[2]])) {
    return(utils::modifyList(judged, list(kind = "failure", ratio = Inf, over = Inf)))
  }
  if (all(failed)) {
    return(judged)
  }
  search$answered <- TRUE
  if (!identical(run_once(pair[[1]], parts), runs[[1]])) {
    return(utils::modifyList(judged, list(kind = "state", ratio = Inf, over = Inf)))
  }
  if (!all(vapply(results, parts$inside, NA))) {
    return(utils::modifyList(judged, list(kind = "domain", ratio = Inf, over = Inf)))
  }
  excess <- excess_of(results[[1]], results[[2]], claim, parts$output)
  judged[c("over", "ratio")] <- excess[c("over", "ratio")]
  if (excess$over > 0) judged$kind <- "distance"
  judged
}

run_once <- function(data, parts) {
  or_else(list(failed = FALSE, result = suppressWarnings(parts$run(data))), function(error) {
    list(failed = TRUE, result = NULL)
  })
}

# Shrinks the worst pair while it is a violation of the same kind. With a declared size no row can
# go, so the pair stays as bad, unless it is by rounding.
shrink_worst <- function(search) {
  kind <- search$worst$kind
  worst <- search$worst$ratio
  least <- if (is.null(search$rows$size) || worst < 1 + 1e-6) 1 else worst * (1 - 1e-9)
  until <- proc.time()[["elapsed"]] + 10
  is_violation <- function(pair) {
    judged <- if (proc.time()[["elapsed"]] < until) judge_pair(search, pair)
    identical(judged$kind, kind) && judged$ratio >= least
  }
  pair <- shrunk_pair(search$worst$pair, search$rows, is_violation)
  search$worst <- judge_pair(search, pair) %||% search$worst
  search$worst$ratio <- max(worst, search$worst$ratio)
}

described_search <- function(search) {
  worst <- search$worst
  structure(
    list(
      refuted = !is.na(worst$kind), kind = worst$kind, answered = search$answered,
      ratio = max(worst$ratio, 0), over = worst$over, pair = worst$pair, d_in = worst$d_in,
      claim = worst$claim,
      results = worst$results, failed = worst$failed, pairs = search$tried,
      seconds = proc.time()[["elapsed"]] - search$begun, name = search$parts$name
    ),
    class = "dp_stability_check"
  )
}
