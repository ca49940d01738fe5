#' Receipts: releases that others can check
#'
#' A receipt describes a release: its plan, its data (dataset, version, declared domain), its noise
#' (privacy events), its accuracy and its loss. It names the ledger, the record and the time of the
#' charge. It is text, and holds only the hash of the release. It is signed if the ledger has a key.
#' `verify_release()` makes every check that your arguments allow.
#'
#' The package's file `verify-receipt.R` (`system.file("verify-receipt.R", package = "PSIlence")`)
#' checks signature and chain for readers who have only R and package openssl.
#'
#' @param release A released query or batch of a session with a ledger, a statistic that has
#'   released within [with_ledger()], its result, or a function from [charge()], after its call.
#'   `dp_receipt()` also takes the path of a file from `write_receipt()`.
#' @param file (`character(1)`) Path of the file to write.
#' @param x (`dp_receipt` or `character(1)`) Receipt, or the path of its file.
#' @param ledger ([dp_ledger()]) Ledger that should hold the charge, or `NULL`.
#' @param pubkey (`raw(32)`, `character(1)`) The curator's public key, or a file `key.pub`. `NULL`
#'   means the key of `ledger`.
#' @param value The release, if you have it. For a query or batch, give the released object, a table
#'   of its columns, or its [tidy()][statistic_tables]. For a batch also a list of its tables. For a
#'   statistic, give its result, its `as.data.frame()` or its element `release`. You can also name a
#'   file: a CSV file from [write.csv()], or an `.rds` file from `saveRDS()`. Read files from
#'   strangers only as CSV.
#' @param ... Not used.
#' @returns `dp_receipt()` returns a `dp_receipt`, whose `format()` is its text. `write_receipt()`
#'   returns `file`, invisibly. `verify_release()` returns a data frame with the columns `check`,
#'   `result` (`"passed"`, `"failed"` or `"not checked"`) and `detail`. A check that was not made is
#'   never `"passed"`. The check `unit` compares the unit and the distance of the receipt with the
#'   plan. The check `record` compares the receipt with its charge, and with the receipt that the
#'   ledger stored for it. The detail of `plan` has the rule of each cap of a query, and so has
#'   `print()` of a receipt. `advisories` looks up known faults of the version that made the
#'   release, see [dp_advisories()].
#' @section Releases in files: The check `release` compares texts, so types do not matter: whole
#'   numbers are the same as integers and as doubles, and so are dates and texts. For a table, the
#'   order of rows and columns does not matter, and extra columns are ignored. The check is
#'   `"failed"` only for a complete table with different numbers, or for a table with a group that
#'   the plan cannot release: a key that is not declared, or a group that comes twice. Some tables
#'   cannot be compared, so the check is `"not checked"`: tables that lack columns or declared
#'   groups, have rounded numbers, or have texts for numbers. If groups are private or hidden, the
#'   receipt does not show that a table lacks rows, so different numbers are `"not checked"`, too.
#'   Tables of statistics can lack released numbers, such as tables of [dpTree()]: save the result
#'   instead.
#'
#'   [write.csv()] keeps 15 digits of a number, and a double can need 17. If `value` agrees in only
#'   15 digits, the check is `"not checked"`: later digits can differ, but they are far below the
#'   noise. To let readers check all digits, save the object, or write the columns with
#'   `sprintf("%.17g", x)`. If you read the file yourself, `read.csv()` can change texts, such as a
#'   key `"01"`: give it `colClasses = "character"`, or give the name of the file as `value`.
#' @section Format: Canonical JSON: keys in byte order, no spaces, ASCII. Numbers are exact decimals
#'   in text. The keys are
#'   * `plan`: the text of [to_json()]. `domain`: the SHA-256 of the declared domain.
#'   * `events`: each draw of noise, with its scale and the sensitivity of the number it is added
#'     to, in the same unit.
#'   * `accuracy`: a bound on the noise of each released number, which holds with probability `1 -
#'     alpha`.
#'   * `time`: the time of the charge.
#'   * `unit`: the unit of the ledger, an object with the members `columns`, `count`, `relation` and
#'     `what`. `promise`: your promise to [with_ledger()], or empty. Receipts of ledgers from an
#'     older version have words for `unit`, and no promise.
#'   * `salt` and `sql`: the SHA-256 of the salt that a database drew samples with, and of its
#'     statement. They are empty for data that R reads.
#'   * `engine`: the counting engine, `"core"` for a data frame.
#'   * `table`: the curator's name of the table, missing for a table without a name.
#'   * `release` and `rounded`: the SHA-256 of the release, with all digits and with 15. Receipts of
#'     versions before 0.1.1 have no `rounded`.
#'   * `signature`: the Ed25519 signature of all other bytes, in hexadecimal, empty without a key.
#' @section Errors: `dp_error_invalid_argument` for a release that was not made on a ledger, and for
#'   a file without a receipt in canonical form, or of more than 64 MiB.
#' @examples
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", dp_unit(changes = 1), dp_epsilon(1),
#'   version = "2026-03"
#' )
#' age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.25
#' )
#' with_ledger(ledger, age$release(PUMS5extract10000))
#' receipt <- dp_receipt(age)
#' receipt
#' verify_release(receipt, ledger, value = age$result$release)
#' # A reader has the receipt as a file:
#' file <- write_receipt(receipt, file.path(dirname(where), "age.receipt"))
#' dp_receipt(file)
#' @order 1
#' @name dp_receipt
NULL

#' @rdname dp_receipt
#' @export
dp_receipt <- function(release, ...) {
  check_names(...)
  call <- environment()
  parts <- if (is_string(release)) receipt_in_file(release, call) else receipt_of(release)
  if (is.null(parts)) {
    stop_argument("a release on a ledger, or the path of a receipt's file", describe(release),
      "release", call
    )
  }
  structure(parts, class = "dp_receipt")
}

# Reject forms that no receipt has, because the methods would take them for one.
receipt_in_file <- function(file, call) {
  parts <- read_receipt(file, call, "release")
  if (verified_form(parts)[[1]] != "passed") {
    stop_argument("the path of a receipt's file", "a file without a receipt in canonical form",
      "release", call
    )
  }
  parts
}

receipt_of <- function(release) {
  if (is_statistic(release)) {
    attr(release$result, "receipt")
  } else if (inherits(release, "dp_charged")) {
    environment(release)$last$receipt
  } else {
    attr(release, "receipt")
  }
}

# The fields of a receipt that are known before the charge.
receipt_parts <- function(ledger, claim) {
  state <- state_of(ledger)
  loss <- claim$cost$loss
  facts <- planned_facts(claim$form, claim$d_in)
  parts <- list(
    format = receipt_format(state$unit), dataset = state$dataset, version = claim$version,
    unit = state$unit, promise = claim$promise %||% "", measure = state$measure, loss = loss,
    map = list(d_in = distance_text(claim$d_in), d_out = loss), plan = plan_text(claim$form),
    plan_hash = claim$plan, package = this_package(), engine = "core",
    ledger = list(id = state$id), salt = "", sql = "",
    domain = facts$domain, accuracy = facts$accuracy, events = facts$events
  )
  parts$table <- claim$table
  if (!is.list(state$unit)) parts$promise <- NULL
  parts
}

# Handles ledgers with a unit, and ledgers of older versions, which have words and no promise.
receipt_format <- function(unit) {
  if (is.list(unit)) "psilence-receipt-2" else "psilence-receipt-1"
}

# Completes the receipt with its charge and the hashes of the value, and signs it.
signed_receipt <- function(parts, paid, hashes, key) {
  parts$ledger <- c(parts$ledger, list(charge_seq = paid$seq, head = paid$head))
  parts$time <- paid$time
  parts[names(hashes)] <- hashes
  parts$signature <- if (is.null(key)) "" else signature_of(parts, key)
  parts
}

signature_of <- function(parts, key) signature_by(key, unsigned_text(parts))

unsigned_text <- function(parts) core_to_canonical_json(parts[names(parts) != "signature"])

#' @rdname dp_receipt
#' @export
write_receipt <- function(release, file) {
  check_string(file)
  receipt <- if (inherits(release, "dp_receipt")) release else dp_receipt(release)
  core_replace_file(full_path(file), paste0(format(receipt), "\n"))
  invisible(file)
}

# Facts of a plan that a receipt states ------------------------------------------------------------

# Facts that follow from a plan, which a receipt shows: list(domain, accuracy, events), all
# of text. Neighbouring data are `d_in` apart.
planned_facts <- function(x, d_in) UseMethod("planned_facts")

#' @exportS3Method
planned_facts.default <- function(x, d_in) { # nolint: object_name_linter.
  x <- planned(x)
  measurement <- as_measurement(x)
  domain <- core_sha256(enc2utf8(paste(format(measurement$input_domain), collapse = "\n")))
  list(domain = domain, accuracy = if (is_statistic(x)) stated_accuracy(x) else list(),
    events = noise_events(x, d_in))
}

stated_accuracy <- function(statistic) {
  accuracy <- statistic[["accuracy"]]
  if (!is.numeric(accuracy)) {
    return(list())
  }
  about <- list(
    alpha = statistic[["alpha"]], column = toString(statistic[["variable"]]), value = accuracy
  )
  rows_in_text(about)
}

# Converts a list of equally long columns to a list of rows. Numbers are written so that they read
# back exactly. Missing values are left out.
rows_in_text <- function(columns) {
  columns <- lapply(columns, function(x) {
    if (is.numeric(x)) ifelse(is.na(x), NA, sprintf("%.17g", x)) else enc2utf8(as.character(x))
  })
  lapply(seq_len(max(lengths(columns))), function(i) {
    row <- lapply(columns, function(x) x[[min(i, length(x))]])
    row[!is.na(row)]
  })
}

# The plan in its form for receipts: empty if it holds a user function.
plan_text <- function(form) UseMethod("plan_text")

#' @exportS3Method
plan_text.default <- function(form) { # nolint: object_name_linter.
  tryCatch(
    enc2utf8(as.character(to_json(planned(form)))), dp_error_serialization = function(error) ""
  )
}

# Returns the statistic behind a measurement, or the measurement.
planned <- function(measurement) {
  node <- plan_of(measurement)
  if (identical(node$part, "measurement") && is_statistic(node$of)) node$of else measurement
}

# Writes numbers as text that reads back exactly.
distance_text <- function(d_in) paste(sprintf("%.17g", unlist(d_in)), collapse = ",")

# Prints a receipt ---------------------------------------------------------------------------------

#' @rdname dp_receipt
#' @export
format.dp_receipt <- function(x, ...) core_to_canonical_json(unclass(x))

# Shortens an exact decimal. An untrusted receipt can hold anything.
shown_amount <- function(amount) {
  or_else(core_shortest_amount(amount), function(error) paste(format(amount), collapse = " "))
}

#' @rdname dp_receipt
#' @export
print.dp_receipt <- function(x, ...) {
  loss <- x$loss[order(names(x$loss) == "delta")]
  if (identical(loss$delta, "0")) loss$delta <- NULL
  loss <- paste(names(loss), vapply(loss, shown_amount, ""), collapse = ", ")
  plan <- object_of_plan(x)
  caps <- or_else(planned_caps(plan))
  members <- or_else(names(planned_members(plan)))
  lines <- c(
    paste0("Receipt of a release from \"", x$dataset, "\", version ", x$version),
    paste0("  loss       ", loss),
    if (is.list(x$unit)) paste0("  protects   ", protected_in_words(x)),
    if (is_string(x$promise) && nzchar(x$promise)) paste0("  promise    ", x$promise),
    if (is_string(x$table)) paste0("  table      ", in_one_line(x$table)),
    paste0("  plan       ", substr(x$plan_hash, 1, 16)),
    paste0("  member     ", members, recycle0 = TRUE),
    paste0("  paid       ", x$time),
    paste0("  record     ", x$ledger$charge_seq, " of ledger ", substr(x$ledger$id, 1, 16)),
    paste0("  release    ", substr(x$release, 1, 16)),
    paste0("  signature  ", if (nzchar(x$signature)) substr(x$signature, 1, 16) else "none"),
    paste0("  caps       ", caps, recycle0 = TRUE)
  )
  # The receipt can be a stranger's.
  cat(printable(lines), sep = "\n")
  invisible(x)
}
