# Plans of quantiles.

plan_median <- function(args, call) plan_quantile(c(args, list(prob = 0.5)), call)

plan_quantile <- function(args, call) {
  candidates <- quantile_candidates(args$gridPoints, args$rng, args$varType, args$spacing)
  balances <- is.null(args$score)
  # With balance, a dropped row leaves one side and joins neither.
  moves <- if (balances && drops_missing(args)) 2 * max(args$prob, 1 - args$prob) else 1
  factor <- selection_factor * moves
  # Loss for a rank error with probability alpha, by a union bound over all candidates.
  loss <- check_loss(
    args$epsilon, args$accuracy, factor / share_of_release(args), args$alpha / length(candidates),
    call
  )
  select <- if (balances) {
    function(lhs, epsilon) {
      lhs |>
        then_ranked(args) |>
        then_select_quantile(candidates, args$prob, epsilon)
    }
  } else {
    function(lhs, epsilon) {
      lhs |>
        then_nearest(args, candidates) |>
        then_select_nearest(candidates, args$prob, epsilon)
    }
  }
  what <- if (args$prob == 0.5) "median" else paste("quantile", show_number(args$prob, 7))
  own <- list(
    name = paste(what, "of", args$variable), prob = args$prob, gridPoints = length(candidates),
    candidates = candidates
  )
  within <- if (balances) {
    "the rank is within this many rows of the best candidate's"
  } else {
    "the wanted rank is within this many rows of those nearest to the release"
  }
  plan_ranks(args, loss, select, own, quantile_result, within, call)
}

# `select(lhs, epsilon)` adds the selection to rows_or_gaps(). `own` holds the other fields.
plan_ranks <- function(args, loss, select, own, describe, within, call) {
  built <- with_features("contrib", if (is.null(args$interval)) {
    list(measurement = select(rows_or_gaps(args), loss$epsilon))
  } else {
    with_tree(args, loss$epsilon, select, call)
  })
  fields <- c(
    statistic_fields(own$name, args, loss, 1, built$measurement), list(missing = args$missing),
    own[names(own) != "name"],
    list(
      interval = args$interval %||% "none", treeBranching = built$treeBranching,
      treeDepth = built$treeDepth
    )
  )
  plan <- new_plan(fields, describe,
    within = within, range = least_hidden_rank(own$prob %||% own$probs) * args$n,
    span = diff(args$rng), covers = c(populationInterval = target_of$population), call = call
  )
  if (!plan$fields$noiseDominates) warn_of_wide_intervals(plan$fields, call)
  plan
}

quantile_result <- function(release, fields) {
  sampled <- fields$interval == "population"
  value <- as.double(if (sampled) release[[1]] else release)
  c(
    list(
      release = value, variable = fields$variable, accuracy = fields$accuracy,
      epsilon = fields$epsilon, status = status_of_cells(is_coarse_candidate(value, fields))
    ),
    if (sampled) population_of_quantiles(release[-1], fields$prob, fields)
  )
}
