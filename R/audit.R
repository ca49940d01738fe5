#' Try to refute a privacy claim
#'
#' `dp_audit()` draws many releases of a mechanism on pairs of invented neighbouring datasets, and
#' learns to tell them apart. If it succeeds more often than the claim allows, the claim is false.
#' The mechanism can be any R function, also of another package.
#'
#' @param mechanism A function of one dataset, a list of two functions without arguments, one for
#'   each neighbour, a measurement, a statistic such as [dpMean()], or a query of a table without
#'   data.
#' @param neighbours Pairs of datasets to try: [dp_neighbours()], or a list of pairs
#'   `list(list(first, second))`. `NULL` means `dp_neighbours()` of a statistic or query. Invented.
#' @param claim (`dp_loss`) Claimed loss at the distance `d_in`, such as `dp_epsilon(1)`,
#'   `dp_epsilon(1, 1e-3)` or `dp_zcdp(0.5)`. `NULL` means the privacy map of a measurement or
#'   statistic. A query needs the loss that it is built for. Public.
#' @param d_in Distance of the neighbours, for the privacy map. `NULL` means 1, or the unit of a
#'   query. Public.
#' @param confidence (`numeric(1)`) Confidence of the whole audit: all pairs, experts and looks
#'   together. Public.
#' @param seconds (`numeric(1)`) Time after which the audit ends. Public.
#' @param draws (`numeric(1)`) Number of draws after which the audit ends. Public.
#' @param observe (`character`) What the audit looks at. `"release"`: classes, names, texts and
#'   numbers of releases, and the errors and warnings that come instead. `"bits"`: the lowest bits
#'   of numbers. `"time"`: how long a draw of a function takes, only if you name it.
#' @param evidence (`function(release)` or `NULL`) Returns one number for a release. The audit uses
#'   it beside the results.
#' @param stop (`character(1)`) With `"refuted"`, the audit ends once it refutes the claim. With
#'   `"never"`, it goes on and raises the bound.
#' @param ... Not used: other names raise an error.
#' @returns A `dp_audit`, a list:
#'   * `status`: `"refuted"`, `"not refuted"`, `"no_release"` if every draw was an error, or
#'     `"constant"` if all draws were the same,
#'   * `refuted`: whether the claim is false, with the given confidence,
#'   * `bound`: the loss is above this number, with the given confidence, in the unit of the claim,
#'   * `power`: the least multiples of the claim that this audit would have refuted with probability
#'     0.9 and 0.99,
#'   * `pair`: the invented pair with the most evidence, and `pair_number` its place,
#'   * `expert`: what told its datasets apart,
#'   * `counts`: draws of this pair that were named right, named wrong, and not named,
#'   * `claim`, `confidence`, `draws`, `seconds`, `pairs`, `log`, `roc`: facts of the audit,
#'   * `again()`: a function that repeats the audit with this pair only.
#'
#'   [print()], [plot()], `autoplot()`, `tidy()` and `glance()` have methods.
#' @details
#' A fair coin chooses a neighbour for each draw. The audit sees the release and names a neighbour,
#' or abstains. With a loss of (epsilon, delta), P(right) is at most e^epsilon P(wrong) + delta. The
#' audit bets on this before each batch, with rules that it learned from earlier batches. If the
#' claim is true, its wealth ever exceeds 1 / (1 - confidence) with probability at most
#' 1 - confidence. Wealth is shared among all pairs, experts and bets, so the search needs no
#' further correction, and the audit can stop at any time. A claim of [dp_zcdp()] is tested at eight
#' points of its curve of epsilon and delta.
#'
#' @section How to read it: "Refuted" proves that the claim is false, up to the confidence. "Not
#'   refuted" proves nothing: read `power` with it. An audit cannot find a delta below about
#'   10 / draws, losses on pairs that it does not try, losses that are spread over more than 40
#'   numbers in a form that is not additive, joint losses of several releases unless `mechanism`
#'   makes them all, or side channels that it does not observe.
#' @section Floating-point noise: A function that adds `rnorm()` or `runif()` to a number is nearly
#'   always refuted by its lowest bits (Mironov, 2012). That is a fault. To audit the rest of the
#'   function, leave out `"bits"`, or round its release to a grid.
#' @section Privacy: Each draw is a release, so audits need invented data. A query of a table with
#'   data raises an error. Coins come from the secure generator of the package. The audit does not
#'   touch R's random numbers. Your function can.
#' @section Errors: `dp_error_audit_data` for a query of a table with data.
#'   `dp_error_invalid_argument` for an invalid argument. Errors of the mechanism are releases, and
#'   raise nothing.
#' @references Kairouz, Oh and Viswanath (2015), *The Composition Theorem for Differential Privacy*,
#'   for the game. Ville (1939), *Étude critique de la notion de collectif*, for the inequality.
#'   Gonzalez, Dulce-Rubio, Ramdas and Ribero (2025), arXiv:2509.07055, for sequential audits.
#'   Mironov (2012), *On Significance of the Least Significant Bits for Differential Privacy*.
#' @seealso [dp_neighbours()]
#' @examples
#' # A sum of values between 0 and 1, with too little noise on a grid.
#' too_little <- function(data) round(sum(data) + rexp(1, 2) - rexp(1, 2), 2)
#' audit <- dp_audit(too_little, dp_neighbours(c(0, 1), n = 4), dp_epsilon(1), seconds = 10)
#' audit$refuted
#'
#' dp_audit(dpMean("x", n = 4, rng = c(0, 10), epsilon = 1), draws = 5000)
#' @export
dp_audit <- function(mechanism, neighbours = NULL, claim = NULL, d_in = NULL, confidence = 0.99,
                     seconds = 60, draws = Inf, observe = c("release", "bits"), evidence = NULL,
                     stop = c("refuted", "never"), ...) {
  check_names(...)
  call <- environment()
  check_given("mechanism", call = call)
  check_probability(confidence)
  check_number(seconds, above = 0, max = 1e7)
  check_number(draws, min = 1, finite = FALSE)
  observe <- check_observed(observe, mechanism, call)
  check_function(evidence, null = TRUE)
  stop <- check_choice(stop[[1]], c("refuted", "never"), arg = "stop")
  asked <- claim
  opened <- opened_mechanism(mechanism, claim, evidence, call)
  if (inherits(mechanism, "dp_query")) {
    d_in <- d_in %||% mapped_unit(unit_of(mechanism))$count
    claim <- NULL
  }
  pairs <- if (is.null(neighbours)) opened$neighbours() else check_neighbours(neighbours, call)
  if (is.null(pairs)) {
    stop_argument("given for this mechanism, such as `dp_neighbours(c(0, 1), n = 4)`", "left out",
      "neighbours", call
    )
  }
  planned <- if (is.finite(draws)) draws else 1e5
  claim <- check_claim(claim, opened, d_in %||% 1L, planned, call)
  plan <- list(
    relation = attr(pairs, "relation"), opened = opened, claim = claim, pairs = unclass(pairs),
    alpha = 1 - confidence,
    until = proc.time()[["elapsed"]] + seconds, draws = draws, observe = observe,
    evidence = evidence, stop_early = stop == "refuted", factors = factors_of_claim(claim)
  )
  plan$tick <- audit_progress(plan)
  audit <- described_audit(run_audit(plan), plan, confidence)
  best <- new_neighbours(unclass(pairs)[audit$pair_number], plan$relation)
  audit$again <- repeated_audit(mechanism, best, asked, d_in, confidence, seconds, draws, observe,
    evidence, stop
  )
  audit
}

# A function that repeats an audit with one pair. It keeps its arguments only.
repeated_audit <- function(mechanism, pair, claim, d_in, confidence, seconds, draws, observe,
                           evidence, stop) {
  for (argument in names(formals(sys.function()))) get(argument)
  rm(argument)
  function() {
    dp_audit(mechanism, pair, claim, d_in, confidence, seconds, draws, observe, evidence, stop)
  }
}

# Factors of each point, for rules that use one name and both names.
factors_of_claim <- function(claim) {
  lapply(claim$points, function(point) {
    lapply(c(0.5, 1), function(used) log_factors(point$ladder, point$delta, used))
  })
}

check_observed <- function(observe, mechanism, call) {
  known <- c("release", "bits", "time")
  if (!is.character(observe) || length(observe) == 0 || !all(observe %in% known)) {
    stop_argument('some of "release", "bits" and "time"', describe(observe), "observe", call)
  }
  if ("time" %in% observe && !is.function(mechanism) && !is.list(mechanism)) {
    stop_argument('"time" only for a function: write `function(data) ...`', '"time"', "observe",
      call
    )
  }
  unique(observe)
}

# A spinner with the number of draws, see progress.R. Draws are of invented data.
audit_progress <- function(plan) {
  if (!wants_progress()) {
    return(function(audit) NULL)
  }
  env <- parent.frame()
  bar <- cli::cli_progress_bar(
    "Auditing", total = NA,
    format = "{cli::pb_spin} Auditing [{cli::pb_elapsed}] {cli::pb_extra$text}",
    extra = list(text = ""), .envir = env
  )
  function(audit) {
    run <- unbroken_run(audit$refuted)
    bound <- if (run > 0) plan$claim$amounts[[run]] else 0
    text <- paste0(format(audit$total, big.mark = ","), " draws, bound ", show_number(bound, 3))
    cli::cli_progress_update(id = bar, extra = list(text = text), .envir = env)
  }
}

described_audit <- function(audit, plan, confidence) {
  best <- best_of_audit(audit, plan)
  run <- unbroken_run(audit$refuted)
  refuted <- audit$refuted[[plan$claim$rung]]
  number <- best$pair %||% 1L
  structure(
    list(
      status = status_of_audit(audit, refuted), refuted = refuted,
      bound = if (run > 0) plan$claim$amounts[[run]] else 0,
      power = power_of_audit(audit, best, plan),
      pair = plan$pairs[[number]]$data, pair_number = number,
      pair_label = plan$pairs[[number]]$label, expert = best$expert %||% NA_character_,
      counts = stats::setNames(best$bets$counts %||% c(0, 0, 0), c("right", "wrong", "withheld")),
      claim = plan$claim$text, measure = plan$claim$measure,
      amount = plan$claim$amounts[[plan$claim$rung]],
      epsilon = plan$claim$points[[best$point %||% 1]]$ladder[[plan$claim$rung]],
      delta = plan$claim$points[[best$point %||% 1]]$delta,
      confidence = confidence, name = plan$opened$name, relation = plan$relation,
      draws = audit$total, seconds = audit$seconds, pairs = length(plan$pairs),
      experts = length(best$track$experts), observe = plan$observe,
      labels = vapply(plan$pairs, `[[`, "", "label"), log = do.call(rbind, audit$log),
      log_of_pairs = do.call(rbind, lapply(audit$pairs, `[[`, "log")),
      roc = if (!is.null(best$track)) roc_of_track(best)
    ),
    class = "dp_audit"
  )
}

# Draws that are all errors, or all the same, show that the call is wrong, not that it is private.
status_of_audit <- function(audit, refuted) {
  if (refuted) {
    return("refuted")
  }
  seen <- lapply(audit$pairs, `[[`, "seen")
  if (all(unlist(lapply(seen, `[[`, "failed")))) {
    return("no_release")
  }
  shapes <- unique(unlist(lapply(seen, `[[`, "shape")))
  numbers <- unique(do.call(rbind, lapply(seen, function(seen) unique(seen$numbers))))
  if (length(shapes) == 1 && nrow(numbers) <= 1) "constant" else "not refuted"
}

# Shares of both neighbours where the best expert names the first, from strict to lax. One half
# of the draws orders the cells, and the other half is counted.
roc_of_track <- function(best) {
  track <- best$track
  half <- seq_along(track$sides) <= length(track$sides) / 2
  learnt <- track$experts[[best$expert]](part_seen(track$seen, half), track$sides[half])
  score <- learnt$score(track$seen)
  cells <- cells_of_score(score[half])
  at <- cells$of(score)
  counted <- function(rows, side) tabulate(at[rows & track$sides == side], cells$count)
  order <- order((counted(half, 1) + 0.5) / (counted(half, 2) + 0.5), decreasing = TRUE)
  share <- function(side) {
    found <- counted(!half, side)[order]
    c(0, cumsum(found) / max(1, sum(found)))
  }
  data.frame(wrong = share(2), right = share(1))
}
