#' Audit a slow mechanism in one run
#'
#' `dp_audit_run()` runs a mechanism once, on data with many invented rows, the canaries. A fair
#' coin for each canary decides whether it is in the data. The audit then names the coins of some
#' canaries from the release. If it names too many of them right, the claim is false. Use it if one
#' run takes minutes. [dp_audit()] finds much smaller faults, but needs thousands of runs.
#'
#' @param mechanism (`function(data)`) Mechanism to run once on a data frame.
#' @param canaries (data frame) Invented rows, one for each canary, with the columns of the data.
#' @param score (`function(release, canary)`) Returns a number for the release and one canary, a
#'   data frame of one row. The larger it is, the more it speaks for the canary being in the data.
#' @param claim (`dp_loss`) Claimed loss of one row, a [dp_epsilon()]. Public.
#' @param twins (data frame) Rows that replace the canaries that are not in the data. With `NULL`
#'   these canaries are left out, so neighbours differ by an added row. Invented.
#' @param data (data frame) Other rows that are always in the data. Invented.
#' @param named (`numeric(1)`) Share of canaries to name: half of them as in the data, and half as
#'   left out. Public.
#' @param confidence (`numeric(1)`) Confidence of the bound. Public.
#' @param ... Not used: other names raise an error.
#' @param x (`dp_audit_run`) Audit to print.
#' @returns (`dp_audit_run`) A list with `refuted`, `bound` (the proved loss, an epsilon at the
#'   delta of the claim), `p_value` of the claim, `right` and `named` (numbers of canaries),
#'   `canaries`, `claim`, `confidence` and `seconds`.
#' @details If the mechanism is epsilon-private for one row and the coins are independent, each name
#'   is right with probability at most e^epsilon / (1 + e^epsilon), given all other coins. So the
#'   number of right names is stochastically at most binomial. A delta adds the term of the source.
#'   Canaries should not hide each other, so use rows that are far apart. One run typically shows a
#'   third to a half of the loss.
#' @section Errors: `dp_error_invalid_argument` for invalid arguments, or if `score` does not return
#'   one number. Errors of the mechanism pass.
#' @references Steinke, Nasr and Jagielski (2023), *Privacy Auditing with One (1) Training Run*,
#'   theorem 5.2.
#' @seealso [dp_audit()]
#' @examples
#' # Counts of 400 cells without any noise: the audit names every canary right.
#' counts <- function(data) tabulate(data$cell, 400)
#' dp_audit_run(counts, data.frame(cell = 1:400), \(release, canary) release[[canary$cell]],
#'   claim = dp_epsilon(1)
#' )
#' @export
dp_audit_run <- function(mechanism, canaries, score, claim, twins = NULL, data = NULL, named = 0.2,
                         confidence = 0.99, ...) {
  check_names(...)
  call <- environment()
  check_given("mechanism", "canaries", "score", "claim", call = call)
  check_function(mechanism)
  check_rows_of_audit(canaries, NULL, "canaries", call)
  if (!is.null(twins)) check_rows_of_audit(twins, canaries, "twins", call)
  if (!is.null(data)) check_rows_of_audit(data, canaries, "data", call)
  check_function(score)
  check_class(claim, "dp_loss")
  if (measure_name(claim) != "epsilon") {
    stop_argument("a loss in epsilon, `dp_epsilon()`", "one in rho", "claim", call)
  }
  check_number(named, above = 0, max = 1)
  check_probability(confidence)
  begun <- proc.time()[["elapsed"]]
  m <- nrow(canaries)
  inside <- fair_sides(m) == 1
  others <- if (!is.null(twins)) twins[!inside, names(canaries), drop = FALSE]
  rows <- rbind(data[names(canaries)], canaries[inside, , drop = FALSE], others)
  # The order of rows must not show the coins.
  rows <- rows[do.call(order, unname(as.list(rows))), , drop = FALSE]
  release <- mechanism(rows)
  scores <- scores_of_canaries(score, release, canaries, call)
  each <- max(1, floor(named * m / 2))
  ranked <- order(scores)
  right <- sum(!inside[utils::head(ranked, each)]) + sum(inside[utils::tail(ranked, each)])
  p_value <- p_value_of_run(right, 2 * each, m, claim$epsilon, claim$delta)
  structure(
    list(
      refuted = p_value <= 1 - confidence,
      bound = bound_of_run(right, 2 * each, m, claim$delta, 1 - confidence), p_value = p_value,
      right = right, named = 2 * each, canaries = m, claim = format(claim), confidence = confidence,
      seconds = proc.time()[["elapsed"]] - begun
    ),
    class = "dp_audit_run"
  )
}

check_rows_of_audit <- function(x, canaries, arg, call) {
  if (!is.data.frame(x)) stop_argument("a data frame", describe(x), arg, call)
  if (is.null(canaries)) {
    if (nrow(x) < 2 || ncol(x) < 1) {
      stop_argument("a data frame of at least two rows and one column", "a smaller one", arg, call)
    }
    return(invisible())
  }
  if (!setequal(names(x), names(canaries))) {
    stop_argument("a data frame with the columns of `canaries`", "one with others", arg, call)
  }
  if (arg == "twins" && nrow(x) != nrow(canaries)) {
    stop_argument("a row for each canary", paste(nrow(x), "rows"), arg, call)
  }
}

scores_of_canaries <- function(score, release, canaries, call) {
  vapply(seq_len(nrow(canaries)), function(i) {
    found <- score(release, canaries[i, , drop = FALSE])
    if (!is_number(found)) {
      came <- paste("one that returns", describe(found))
      stop_argument("a function that returns one number", came, "score", call)
    }
    as.double(found)
  }, 0)
}

# The probability of at least `right` of `named` right names among `m` canaries, at most.
p_value_of_run <- function(right, named, m, epsilon, delta) {
  share <- stats::plogis(epsilon)
  beta <- stats::pbinom(right - 1, named, share, lower.tail = FALSE)
  if (delta == 0 || right == 0) {
    return(beta)
  }
  i <- seq_len(right)
  alpha <- max(cumsum(stats::dbinom(right - i, named, share)) / i)
  min(1, beta + 2 * m * delta * alpha)
}

# The last epsilon of an unbroken run of losses whose p value is at most `alpha`.
bound_of_run <- function(right, named, m, delta, alpha) {
  bound <- 0
  for (epsilon in seq(0, 20, by = 0.005)) {
    if (p_value_of_run(right, named, m, epsilon, delta) > alpha) break
    bound <- epsilon
  }
  bound
}

#' @rdname dp_audit_run
#' @export
format.dp_audit_run <- function(x, ...) {
  c(
    paste0("Audit in one run: ", if (x$refuted) "refuted" else "not refuted"),
    paste0("  claim  ", x$claim),
    paste0("  bound  ", if (x$bound > 0) {
      paste0("epsilon is above ", show_number(x$bound, 4), ", with confidence ",
        show_number(x$confidence, 9)
      )
    } else {
      "nothing is proved about the loss"
    }),
    paste0("  names  ", x$right, " right of ", x$named, ", for ", x$canaries, " canaries"),
    if (!x$refuted) {
      "  No evidence against the claim. One run typically shows a third to a half of the loss."
    }
  )
}

#' @rdname dp_audit_run
#' @export
print.dp_audit_run <- function(x, ...) {
  cat(format.dp_audit_run(x), sep = "\n")
  invisible(x)
}
