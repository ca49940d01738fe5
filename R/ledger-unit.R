# What a release protects, and what its ledger protects.

# Before anything is charged. `unit` is the `dp_unit` of what `what` releases, NULL if it has none.
check_unit_of_release <- function(account, unit, what) {
  owed <- unit_of_ledger(state_of(account$ledger))
  promises <- !is.null(account$promise)
  # Whoever charges a ledger of words promises that they fit.
  if (!inherits(owed, "dp_unit") || (promises && is.null(unit))) {
    return(invisible())
  }
  parts <- parts_of_unit(owed)
  if (promises) parts <- as_rows(parts)
  if (is.null(unit) || !protects(parts_of_unit(unit), parts)) {
    stop_dp(
      paste0(
        "this ledger protects ", unit_words(owed), "; ", what, " protects ",
        if (is.null(unit)) "what its metric says, which is no unit" else unit_words(unit), ".\n",
        way_out(owed, promises)
      ),
      "unit",
      call = NULL
    )
  }
}

# A promise makes each person one row: as many units, in the same relation.
as_rows <- function(parts) {
  parts$what <- "rows"
  parts$columns <- list()
  parts
}

way_out <- function(owed, promises) {
  if (promises) {
    return(paste(
      "i A promise makes each person one row: the release must protect as many rows, in the same",
      "relation."
    ))
  }
  if (!replaces(owed)) {
    return(paste0(
      "i Queries of a table with this unit may be charged here. A ledger with ",
      "`dp_unit(changes = 1)` takes statistics."
    ))
  }
  whose <- if (owed$kind == "id") paste(owed$id, collapse = " and ") else "person"
  paste0(
    "i Make one row per ", whose, ", and say so: `promise = \"one row per ", whose, "\"`."
  )
}

# The unit that a measurement protects at the distance `d_in`, from its metric; NULL if it has none.
measured_unit <- function(measurement, d_in) {
  if (!is_number(d_in) || d_in != trunc(d_in) || d_in < 1 || d_in > .Machine$integer.max) {
    return(NULL)
  }
  metric <- format(measurement("input_metric"))
  if (metric %in% c("SymmetricDistance()", "InsertDeleteDistance()")) {
    dp_unit(rows = d_in)
  } else if (metric %in% c("ChangeOneDistance()", "HammingDistance()")) {
    dp_unit(changes = d_in)
  }
}

# A promise makes rows people. It does not hide whether one is there: the number of rows of a
# statistic is public.
check_promise <- function(promise, ledger, call) {
  check_string(promise, null = TRUE, call = call)
  if (is.null(promise)) {
    return(NULL)
  }
  if (!nzchar(promise)) stop_argument("words", "an empty string", "promise", call)
  owed <- unit_of_ledger(state_of(ledger))
  if (!inherits(owed, "dp_unit")) {
    stop_dp("this ledger has no unit, but words of an older version: it records no promise.",
      "unit",
      call = call
    )
  }
  if (!replaces(owed)) {
    stop_dp(
      paste0(
        "this ledger hides whether ", unit_words(owed), " is in the data, which no promise can: ",
        "the number of rows of a statistic is public.\n",
        "i A ledger with `relation = \"replace\"` takes a promise: its number of people is public."
      ),
      "unit",
      call = call
    )
  }
  enc2utf8(promise)
}
