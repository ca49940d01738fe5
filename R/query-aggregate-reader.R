# Reads the call of one aggregate. The result has no name.
read_aggregate <- function(expr, env, x, call) {
  fun <- name_of_function(expr)
  scope <- row_scope(x, call)
  args <- matched(expr, get(fun, topenv()), scope)
  of <- if ("x" %in% names(args)) {
    if (is.null(args$x)) stop_argument("given", "left out", "x", as.call(list(as.name(fun))))
    read_expr(args$x, env, scope)
  }
  if (fun %in% c("dp_n_ids", "dp_n_capped", "dp_n_dropped") && tbl_data(x)$unit$kind != "id") {
    stop_query("unsupported", "The unit of this table has no id.",
      if (fun == "dp_n_ids") {
        "Use `dp_count()` to count rows."
      } else {
        "Name the id column with `dp_unit(id = )`."
      }, call
    )
  }
  if (fun == "dp_sum" && is_of_dates(list(of = of), fields_of(x))) {
    stop_query("unsupported",
      paste0("Dates have no sum, but ", quoted(describe_expr(of)), " has dates."),
      "Use `dp_mean()` or `dp_median()`, which return dates.", call
    )
  }
  given <- public_arguments(fun, args[setdiff(names(args), c("x", "y", "weights"))], env, scope)
  if (is_of_dates(list(of = of), fields_of(x))) {
    points <- intersect(c("at", "breaks", "bounds"), names(given))
    given[points] <- lapply(given[points], days_of_texts)
  }
  given["weights"] <- list(read_weights(args$weights, env, scope))
  if (!is.null(args$y)) given$times <- read_expr(args$y, env, scope)
  as_it_is(checked_aggregate(fun, of, given, as.call(list(as.name(fun)))))
}

# Texts such as "2026-01-31" beside dates are dates.
days_of_texts <- function(points) {
  days <- if (is.character(points)) lapply(points, iso_date)
  if (length(days) == 0 || any(lengths(days) == 0)) points else do.call(c, days)
}

checked_aggregate <- function(fun, of, given, call) {
  positive <- function(name, null = TRUE) {
    check_number(given[[name]], above = 0, null = null, arg = name, call = call)
  }
  if (!is.null(given$scale) && !is.null(given$accuracy)) {
    stop_argument("left out if `accuracy` is given", "given", "scale", call)
  }
  probabilities <- if (fun == "dp_median") 0.5 else given$probs
  if (fun == "dp_quantile") probabilities <- check_probs(probabilities %||% 0.5, call)
  if (fun == "dp_histogram" && is.null(given$breaks)) {
    stop_argument("two or more increasing numbers", "left out", "breaks", call)
  }
  method <- check_choice(given$method %||% "auto", c("auto", "tree", "score"), arg = "method",
    call = call
  )
  bounds <- if (inherits(given$bounds, "Date")) plain_constant(given$bounds) else given$bounds
  bounds <- check_bounds(bounds, null = TRUE, arg = "bounds", call = call)
  share <- positive("share") %||% 1
  list(
    fun = aggregate_kinds[[fun]], of = of, times = given$times,
    bounds = if (!is.null(bounds)) as.double(unlist(bounds)), weight = as.double(share),
    scale = positive("scale"), accuracy = positive("accuracy"), probabilities = probabilities,
    grid = check_grid(given$at %||% given$breaks, if (is.null(given$at)) "breaks" else "at", call),
    method = written_method(method, length(probabilities)), weights = given$weights,
    up_to = check_up_to(fun, given$up_to, call)
  )
}

# The method in the form of a query. "rank" selects quantiles one by one, by their rank. In stored
# queries, "score", and "automatic" for one or two quantiles, mean the score of older versions.
written_method <- function(method, quantiles) {
  by_rank <- method == "score" || method == "auto" && quantiles %in% 1:2
  if (by_rank) "rank" else if (method == "auto") "automatic" else method
}

check_probs <- function(probs, call) {
  if (!is.numeric(probs) || length(probs) == 0 || anyNA(probs) || any(probs < 0 | probs > 1)) {
    stop_argument("probabilities from 0 to 1", "others", "probs", call)
  }
  as.double(probs)
}

check_grid <- function(grid, arg, call) {
  if (is.null(grid)) {
    return(NULL)
  }
  if (length(grid) > limit("cells")) {
    stop_argument(paste("at most", limit("cells"), "numbers"), length(grid), arg, call)
  }
  if (inherits(grid, "Date")) grid <- plain_constant(grid)
  if (!is.numeric(grid) || length(grid) < 2 || !all(is.finite(grid)) || any(diff(grid) <= 0)) {
    is_probability <- arg == "at" && is_number(grid) && grid >= 0 && grid <= 1
    stop_argument(
      paste0(
        "two or more increasing numbers",
        if (is_probability) " (several probabilities are `probs = c(0.25, 0.75)`)"
      ),
      if (is.numeric(grid)) name_public(grid) else describe(grid), arg, call
    )
  }
  as.double(grid)
}
