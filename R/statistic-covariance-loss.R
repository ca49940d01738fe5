# Losses of the entries of a covariance matrix.

covariance_sensitivity <- function(widths, n, intercept = FALSE) {
  if (intercept) widths <- c(0, widths)
  pairs <- triangle(length(widths))
  widths[pairs$first] * widths[pairs$second] / n
}

# Returns list(epsilon, meanEpsilon, accuracy): numbers for each entry, and for each mean if any.
covariance_loss <- function(args, sens, call) {
  args$alpha <- noise_alpha(args$mechanism, args$alpha)
  epsilon <- if (is_missing(args$epsilon) && !is_missing(args$globalEps)) {
    shared_epsilon(args, length(sens), call)
  } else {
    with_mean_epsilon(entry_epsilon(args, sens, call), args)
  }
  c(epsilon, list(accuracy = laplaceGetAccuracy(sens, epsilon$epsilon, args$alpha)))
}

# Gives the means `meanShare` of the loss, in equal parts.
with_mean_epsilon <- function(epsilon, args) {
  means <- if (args$intercept) length(args$columns) else 0
  each <- sum(epsilon) * args$meanShare / (1 - args$meanShare) / max(means, 1)
  list(epsilon = epsilon, meanEpsilon = rep(each, means))
}

# Splits `globalEps` between entries and means.
shared_epsilon <- function(args, count, call) {
  check_epsilon(args$globalEps, call, "globalEps")
  shares <- args$epsilonDist
  if (!is.null(shares)) shares <- check_entries(shares, count, "epsilonDist", call)
  if (!is.null(shares) && abs(sum(shares) - 1) > 1e-8) {
    stop_argument("of sum 1", "numbers of another sum", "epsilonDist", call)
  }
  weights <- with_mean_epsilon(shares %||% rep(1, count), args)
  parts <- core_share_epsilon(args$globalEps, c(weights$epsilon, weights$meanEpsilon))
  list(epsilon = parts[seq_len(count)], meanEpsilon = parts[-seq_len(count)])
}

check_entries <- function(x, count, arg, call) {
  check_numbers(x, arg = arg, call = call)
  if (!is.null(names(x))) {
    stop_argument("without names, in the order of the entries", paste("named", in_quotes(names(x))),
      arg, call
    )
  }
  if (length(x) != count) {
    stop_argument(paste(count, "numbers"), paste(length(x), "of them"), arg, call)
  }
  as.double(x)
}

# Computes the losses from a request for each entry.
entry_epsilon <- function(args, sens, call) {
  count <- length(sens)
  if (!is_missing(args$epsilon)) {
    epsilon <- check_entries(args$epsilon, count, "epsilon", call)
    check_epsilon(max(epsilon), call)
    epsilon
  } else if (!is_missing(args$accuracy)) {
    check_number(args$accuracy, above = 0, arg = "accuracy", call = call)
    laplaceGetEpsilon(sens, args$accuracy, args$alpha)
  } else if (!is_missing(args$accuracyVals)) {
    accuracies <- check_entries(args$accuracyVals, count, "accuracyVals", call)
    laplaceGetEpsilon(sens, accuracies, args$alpha)
  } else {
    stop_argument("given, or `globalEps`, `accuracy` or `accuracyVals` in its place", "missing",
      "epsilon", call
    )
  }
}
