# Joint checks of the arguments of dpSampleAndAggregate().

# Design of the blocks, and the numbers that follow from it.
check_blocks <- function(args, call) {
  k <- args$numSubsets
  repeats <- args$overlap
  if (args$scheme != "resampled" && repeats != 1) {
    stop_argument("1: only resampled partitions have another", name_public(repeats), "overlap",
      call
    )
  }
  if (k %% repeats != 0) {
    stop_argument("a multiple of `overlap`, the number of partitions", name_public(k),
      "numSubsets", call
    )
  }
  args <- check_block_sizes(args, k / repeats, repeats, call)
  binding <- c(partition = "partitions", resampled = "partitions")[args$scheme]
  number <- if (args$scheme == "subsets") args$subsetSize else repeats
  blocks <- if (args$scheme == "resampled") k / repeats else k
  args[c("design", "overlap")] <- core_block_design(
    if (is.na(binding)) args$scheme else binding[[1]], args$n, blocks, number
  )
  if (args$scheme == "labels") args["subsetSizes"] <- list(NULL)
  args
}

check_block_sizes <- function(args, each, repeats, call) {
  least <- least_rows(args$innerFun)
  if (args$scheme %in% c("partition", "resampled") && each > args$n %/% least) {
    what <- if (least == 2) "at most `n` / 2, two rows for each variance" else "at most `n`"
    stop_argument(what, name_public(args$numSubsets), "numSubsets", call)
  }
  if (args$scheme == "subsets") {
    size <- check_positive_whole(args$subsetSize, "subsetSize", call)
    if (size > args$n || size < least) stop_argument("at most `n`", "more", "subsetSize", call)
    args$subsetSize <- size
    args$subsetSizes <- rep(size, each * repeats)
  } else {
    args$subsetSize <- check_derived(args$subsetSize, args$n %/% each, "subsetSize", call)
    args$subsetSizes <- rep(args$subsetSize + (seq_len(each) <= args$n %% each), repeats)
  }
  args
}

# Least number of rows in a block.
least_rows <- function(innerFun) if (identical(innerFun, "var")) 2 else 1

check_aggregator <- function(args, call) {
  aggregator <- args$aggregationFun
  if (aggregator != "Mean" && args$numSubsets < 2) {
    stop_argument("at least 2, for this `aggregationFun`", "1", "numSubsets", call)
  }
  if (aggregator == "Median") args$prob <- 0.5
  if (!selects_rank(args)) {
    args[c("prob", "score")] <- list(NULL)
    # Removes an unused argument from the plan.
    args$chosen["score"] <- list(NULL)
  }
  if (aggregator == "TrimmedMean" && 2 * floor(args$trim * args$numSubsets) >= args$numSubsets) {
    stop_argument("a share below a half", "more", "trim", call)
  }
  check_mean(args, call)
  if (!is.null(args$timeLimit)) {
    if (is.character(args$innerFun)) {
      stop_argument("NULL unless `innerFun` is a function", "given", "timeLimit", call)
    }
    check_children(call)
  }
  check_outcomes(args, call)
  args
}

# Checks arguments that only means have.
check_range_mode <- function(args, call) {
  if (args$rangeMode != "tight" && (args$aggregationFun %||% "Mean") != "Mean") {
    stop_argument('"tight" unless `aggregationFun` is "Mean"', "another mode", "rangeMode", call)
  }
}

check_mean <- function(args, call) {
  plain <- args$aggregationFun == "Mean" && args$rangeMode == "tight"
  if (args$intervalShare > 0 && !(plain && args$scheme %in% c("partition", "labels"))) {
    stop_argument("0 unless the release is a mean of disjoint blocks",
      name_public(args$intervalShare), "intervalShare", call
    )
  }
}

check_outcomes <- function(args, call) {
  outcomes <- args$outcomes
  if (args$aggregationFun != "Mode") {
    if (!is.null(outcomes)) {
      stop_argument('NULL unless `aggregationFun` is "Mode"', "given", "outcomes", call)
    }
  } else {
    check_outcome_values(outcomes, call)
    if (is.character(args$innerFun)) {
      stop_argument('a function if `aggregationFun` is "Mode"', "a name", "innerFun", call)
    }
  }
}

check_outcome_values <- function(outcomes, call) {
  if (!are_outcomes(outcomes)) {
    stop_argument("two or more different strings or numbers", describe(outcomes), "outcomes", call)
  }
}

are_outcomes <- function(x) {
  (is.character(x) || is_numbers(x)) && length(x) >= 2 && !anyNA(x) && !anyDuplicated(x)
}

# Checks the output range of a user's function: a matrix with two columns.
check_output_range <- function(args, call) {
  range <- args$outputRange
  if (args$rangeMode == "helper") {
    return(args)
  }
  if (is.character(args$innerFun) || identical(args$aggregationFun, "Mode")) {
    if (!is.null(range)) {
      why <- "votes have none"
      if (is.character(args$innerFun)) why <- "a named `innerFun` has its own"
      stop_argument(paste("NULL:", why), describe(range), "outputRange", call)
    }
    return(args)
  }
  range <- range_matrix(range, call)
  if (anyDuplicated(rownames(range))) {
    stop_argument("named with different names", paste("named", in_quotes(rownames(range))),
      "outputRange", call
    )
  }
  args$outputRange <- if (inherits(args$innerFun, "formula")) {
    coefficient_ranges(range, args$innerFun, call)
  } else {
    range
  }
  args
}

# Orders ranges like the coefficients: the constant under any of its names, and the columns by name.
# Leaves unnamed ranges, and ranges of formulas with other terms, unchanged.
coefficient_ranges <- function(range, formula, call) {
  check_formula_size(formula, call, "innerFun")
  terms <- or_else(stats::terms(formula))
  columns <- attr(terms, "term.labels")
  plain <- !is.null(terms) && all(columns %in% all.vars(formula[[length(formula)]]))
  if (is.null(rownames(range)) || !plain) {
    return(range)
  }
  constant <- setdiff(rownames(range), columns)
  if (length(constant) != attr(terms, "intercept") || !all(columns %in% rownames(range))) {
    stop_argument(
      paste0(
        "named after the columns ", in_quotes(columns),
        if (attr(terms, "intercept")) " and, as you like, the constant", ", or not named"
      ),
      paste("named", in_quotes(rownames(range))), "outputRange", call
    )
  }
  range[c(constant, columns), , drop = FALSE]
}

is_pairs <- function(x) is_numbers(x) && is.matrix(x) && ncol(x) == 2 && nrow(x) >= 1

range_matrix <- function(given, call) {
  range <- given
  what <- "a pair of finite bounds, or a matrix or list with one for each result"
  if (is.list(range)) range <- do.call(rbind, range)
  if (is_numbers(range) && is.null(dim(range)) && length(range) == 2) range <- matrix(range, 1)
  if (!is_pairs(range)) {
    stop_argument(what, describe(given), "outputRange", call)
  }
  storage.mode(range) <- "double"
  if (!all(is.finite(range), is.finite(range[, 2] - range[, 1]))) {
    stop_argument(what, "missing or infinite ones", "outputRange", call)
  }
  if (!all(range[, 1] < range[, 2])) {
    stop_argument("lower bounds below upper ones", "others", "outputRange", call)
  }
  range
}
