# How an audit draws releases of a mechanism.

# Draws `n` releases of a measurement as a list. A composition draws them in bulk, because a call
# from R takes longer than a draw.
draw_many <- function(measurement, arg, n, at_most = 1000) {
  if (n == 0) {
    return(list())
  }
  times <- ceiling(n / at_most)
  at_once <- ceiling(n / times)
  many <- with_features("contrib", make_composition(rep(list(measurement), at_once)))
  releases <- unlist(replicate(times, many(arg = arg), simplify = FALSE), recursive = FALSE)
  utils::head(releases, n)
}

# A statistic or measurement as list(measurement, arg, found): `arg` makes the argument of the
# measurement from data, and `found` says that the plan measures twice.
audited_parts <- function(mechanism) {
  if (!inherits(mechanism, "dpStatistic")) {
    return(list(measurement = mechanism, arg = identity))
  }
  plan <- plan_in(mechanism)
  list(
    measurement = plan$fields$measurement, arg = function(data) read_columns(plan, data),
    plan = plan
  )
}

# Fair coins of the secure generator: 1 or 2 for each draw. Randomized response with f = 1 does not
# depend on its bits.
fair_sides <- function(n) {
  bytes <- ceiling(n / 8)
  space <- list(bitvector_domain(max_weight = 1L, size = 8 * bytes), discrete_distance())
  coins <- with_features("contrib",
    make_randomized_response_bitvec(space[[1]], space[[2]], f = 1)
  )
  as.integer(utils::head(rawToBits(coins(arg = raw(bytes))), n)) + 1L
}

# list(name, measurement, draw, neighbours): `draw(pair, sides, until)` returns seen releases, in
# the order of `sides`. It can return fewer after the time `until`. `measurement` is NULL for a
# function. `neighbours()` are the pairs to try by default.
opened_mechanism <- function(mechanism, claim, evidence, call) UseMethod("opened_mechanism")

# A measurement is a function too, but has a method.
#' @exportS3Method
opened_mechanism.default <- function( # nolint: object_name_linter.
    mechanism, claim, evidence, call) {
  if (!is.function(mechanism)) {
    must <- "a function, two functions, a measurement, a statistic or a query"
    stop_argument(must, describe(mechanism), "mechanism", call)
  }
  of_functions("a function", function(data) mechanism(data), NULL, evidence)
}

#' @exportS3Method
opened_mechanism.list <- function(mechanism, claim, evidence, call) { # nolint: object_name_linter.
  if (length(mechanism) != 2 || !all(vapply(mechanism, is.function, NA))) {
    stop_argument("a list of two functions without arguments", describe(mechanism), "mechanism",
      call
    )
  }
  pair <- list(new_pair(mechanism[[1]], mechanism[[2]], "the two functions"))
  of_functions("two functions", function(data) data(), pair, evidence)
}

# Draws one after the other, in the order of the coins: a function can keep state.
of_functions <- function(name, run, pairs, evidence) {
  list(name = name, neighbours = function() pairs, draw = function(pair, sides, until) {
    seen <- vector("list", length(sides))
    for (i in seq_along(sides)) {
      seen[[i]] <- seen_release(run(pair$data[[sides[[i]]]]), evidence)
      if (proc.time()[["elapsed"]] > until) break
    }
    bind_seen(seen[seq_len(i)])
  })
}

#' @exportS3Method
opened_mechanism.measurement <- function( # nolint: object_name_linter.
    mechanism, claim, evidence, call) {
  of_measurement("a measurement", mechanism, function() NULL, evidence)
}

#' @exportS3Method
opened_mechanism.dpStatistic <- function( # nolint: object_name_linter.
    mechanism, claim, evidence, call) {
  of_measurement(class(mechanism)[[1]], mechanism, function() dp_neighbours(mechanism), evidence)
}

#' @exportS3Method
opened_mechanism.dp_query <- function( # nolint: object_name_linter.
    mechanism, claim, evidence, call) {
  check_class(claim, "dp_loss", arg = "claim", call = call)
  if (!is.null(tbl_data(mechanism$table)$rows)) {
    stop_with_hint("audit_data",
      "An audit needs invented data: each of its draws is a release.",
      "Write the query for `dp_tbl(session, data = NULL, ...)`.", call
    )
  }
  of_measurement("query", as_measurement(mechanism, claim), function() dp_neighbours(mechanism),
    evidence
  )
}

of_measurement <- function(name, mechanism, neighbours, evidence) {
  parts <- audited_parts(mechanism)
  run <- function(data) in_doubles(parts$measurement(arg = data))
  if (!is.null(parts$plan$found)) run <- function(data) released_by(parts$plan, data)
  list(
    name = name, measurement = parts$measurement, neighbours = neighbours,
    prepare = function(data) tryCatch(parts$arg(data), dp_error = identity),
    draw = function(pair, sides, until) drawn_in_bulk(parts, pair, sides, run, evidence)
  )
}

# A measurement keeps no state, so the order of draws does not matter. Data that it refuses are
# drawn one by one: the error is the release.
drawn_in_bulk <- function(parts, pair, sides, run, evidence) {
  one_by_one <- function(data, n) {
    bind_seen(lapply(seq_len(n), function(i) {
      seen_release(if (inherits(data, "error")) stop(data) else run(data), evidence)
    }))
  }
  of_side <- function(side) {
    data <- pair$prepared[[side]]
    n <- sum(sides == side)
    if (inherits(data, "error") || !is.null(parts$plan$found)) {
      return(one_by_one(data, n))
    }
    releases <- or_else(draw_many(parts$measurement, data, n))
    if (is.null(releases)) one_by_one(data, n) else seen_in_bulk(releases, evidence)
  }
  drawn <- join_seen(of_side(1), of_side(2))
  part_seen(drawn, order(c(which(sides == 1), which(sides == 2))))
}
