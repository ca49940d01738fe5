# GUPT's third method sets the range of results by a rule of the user, from private quartiles of the
# columns. The quartiles have been released, so the rule can use them freely.

# Input of the rule: pairs in the form of `rng`. `ends` holds all lower and then all upper ends.
helper_inputs <- function(ends, variable) {
  pairs <- matrix(ends, ncol = 2)
  if (nrow(pairs) == 1) {
    return(as.double(pairs))
  }
  stats::setNames(lapply(seq_len(nrow(pairs)), function(i) pairs[i, ]), variable)
}

# Ranges of the results for arbitrary columns. They give the number and names of results, and the
# fallback of a release if the rule fails.
check_range_helper <- function(args, call) {
  if (args$rangeMode != "helper") {
    if (!is.null(args$rangeHelper)) {
      stop_argument('NULL unless `rangeMode = "helper"`', "given", "rangeHelper", call)
    }
    return(args)
  }
  check_function(args$rangeHelper, arg = "rangeHelper", call = call)
  if (!is.null(args$outputRange)) {
    stop_argument("NULL: `rangeHelper` gives it", describe(args$outputRange), "outputRange", call)
  }
  ends <- do.call(rbind, as_pairs(args$rng))
  rule <- new_callback(args$rangeHelper, "rangeHelper", call)
  args$rangeHelper <- rule$fun
  range <- helped_range(rule, args$variable, ends)
  if (is.null(range) || (is.character(args$innerFun) && nrow(range) != 1)) {
    what <- "a function from ranges of the columns, such as `rng`, to an `outputRange`"
    stop_argument(what, "one that is not", "rangeHelper", call)
  }
  args$outputRange <- range
  args
}

# Returns a matrix of two columns, or NULL if the rule fails.
helped_range <- function(rule, variable, ends) {
  inputs <- helper_inputs(ends, variable)
  call_once(rule, function(fun) range_matrix(fun(inputs), NULL))
}

# Wraps the rule for the core, which expects only numbers and has a fallback if there are none.
helper_closure <- function(rule, variable) {
  force(rule)
  force(variable)
  function(ends) as.double(helped_range(rule, variable, ends))
}

# Spends half the loss, in equal shares, on quartiles of all columns, and the other half on the
# means.
helped_measurement <- function(args, blocks, epsilon) {
  whole <- if (args$varType == "numeric") "numeric" else "integer"
  candidates <- lapply(as_pairs(args$rng), function(rng) {
    quantile_candidates(args$gridPoints, rng, whole)
  })
  # An added or removed row moves the score of a quartile by at most three quarters. If incomplete
  # rows are dropped, a replaced row counts as one removed row and one added row.
  factor <- selection_factor * if (adds_rows(args)) 0.75 else if (blocks$drops) 1.5 else 1
  selections <- 2 * length(candidates)
  rule <- helper_closure(new_callback(args$rangeHelper, "rangeHelper"), args$variable)
  new_measurement(core_make_helped_mean(
    blocks$columns, blocks$design, blocks$drops, blocks$fun, blocks$outputs, candidates, rule,
    args$outputRange,
    factor * 2 * selections, 2 * nrow(args$outputRange) * args$overlap, protected_rows, epsilon
  ))
}

# Means, the ranges that were found for them, and the quartiles behind these ranges.
helped_result <- function(release, fields, common) {
  count <- nrow(rbind(fields$outputRange))
  numbers <- matrix(release[seq_len(3 * count)], ncol = 3, byrow = TRUE)
  range <- numbers[, 2:3, drop = FALSE]
  rownames(range) <- rownames(rbind(fields$outputRange))
  quartiles <- matrix(release[-seq_len(3 * count)], ncol = 2, byrow = TRUE)
  common$accuracy <- laplaceGetAccuracy(
    fields$overlap * (range[, 2] - range[, 1]) / fields$numSubsets, fields$epsilon / (2 * count),
    fields$alpha
  )
  c(mean_result_of(named_results(numbers[, 1], fields), fields, common), list(
    outputRange = plain_range(range), inputRange = helper_inputs(quartiles, fields$variable)
  ))
}
