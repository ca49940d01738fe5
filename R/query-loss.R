# Losses of releases, in the privacy measure of the session.

# The loss of a release in the measure of the session. NULL arguments were omitted.
asked_loss <- function(session, epsilon, rho, delta, call) {
  measure <- measure_name(session$loss)
  given <- Filter(Negate(is.null), list(epsilon = epsilon, rho = rho))
  wrong <- setdiff(names(given), measure)
  if (length(wrong) > 0) {
    stop_query(
      "budget", paste0("The budget of this session is in ", measure, ", not in ", wrong, "."),
      paste0("Give `", measure, " = `."), call
    )
  }
  if (length(given) == 0) {
    stop_query(
      "budget", paste0("`", measure, "` must be given."),
      paste0("Give `", measure, " = `. ", format(left_in(session$budget)), " is left."), call
    )
  }
  if (inherits(given[[1]], "dp_loss")) {
    stop_argument(
      paste0("a number: write `", measure, " = loss$", measure, "` for the loss `loss`"),
      describe(given[[1]]), measure, call
    )
  }
  amount <- check_number(given[[1]], above = 0, arg = measure, call = call)
  new_loss(measure, amount, check_delta(delta %||% 0, call))
}

# The doubles that the core must not exceed, so that the decimals of the loss cover them.
within_asked <- function(loss) {
  lapply(unclass(loss), core_within_decimal)
}

# The loss of the map, with the loss `asked` for it, see release_loss().
loss_for_core <- function(loss, asked) list(loss_in_doubles(loss), loss_in_doubles(asked))

loss_in_doubles <- function(loss) as.double(unlist(unclass(loss)))
