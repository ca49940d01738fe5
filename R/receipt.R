#' Receipts: releases that others can check
#'
#' A receipt describes a release: its plan, its data (dataset, version, declared domain), its noise
#' (privacy events), its accuracy and its loss. It names the ledger, the record and the time of the
#' charge. It is text, and holds only the hash of the release. It is signed if the ledger has a key.
#' `verify_release()` makes every check that your arguments allow.
#'
#' The package's file `verify-receipt.R` (`system.file("verify-receipt.R", package = "PSIlence")`)
#' checks signature and chain for readers who have R and package openssl alone.
#'
#' @param release A released query or batch of a session with a ledger, a statistic that has
#'   released within [with_ledger()], its result, or a function that [charge()] made, after its
#'   call. `dp_receipt()` also takes the path of a file that `write_receipt()` wrote.
#' @param file (`character(1)`) Where to write it.
#' @param x (`dp_receipt`) or the file of one.
#' @param ledger ([dp_ledger()]) or `NULL`: the ledger that it should be in.
#' @param pubkey (`raw(32)`, `character(1)`) The curator's public key, or a file `key.pub`; `NULL`
#'   for the key of `ledger`.
#' @param value The release, if you have it: a released query or batch, a table of its columns, its
#'   [tidy()][statistic_tables], or the result of a statistic, its `as.data.frame()` or its element
#'   `release`. Of a batch, a list of its tables will do. You can also name a file that
#'   [write.csv()] made of one of these, or `saveRDS()`, with the ending `.rds`. Take files of
#'   strangers only as CSV.
#' @param ... Not used.
#' @returns `dp_receipt()`: a `dp_receipt`, whose `format()` is its text. `write_receipt()`: `file`,
#'   invisibly. `verify_release()`: a data frame with the columns `check`, `result` (`"passed"`,
#'   `"failed"` or `"not checked"`) and `detail`. A check that was not made is never `"passed"`. The
#'   check `unit` compares the unit and the distance of the receipt with the plan. The detail of
#'   `plan` has the rule of each cap of a query, and so has `print()` of a receipt. `advisories`
#'   looks up known faults of the version that made the release, see [dp_advisories()].
#' @section Releases in files: The check `release` compares texts, so types do not matter: whole
#'   numbers are the same as integers and as doubles, and so are dates and texts. For a table, the
#'   order of rows and columns does not matter either, nor do columns that the release does not
#'   have. The check is `"failed"` only for a complete table with other numbers. A table that lacks
#'   columns or declared groups, that is rounded, or that has texts for numbers "cannot be
#'   compared": the check is `"not checked"`. So are tables of statistics that lack released
#'   numbers, such as those of [dpTree()]: save the result.
#'
#'   [write.csv()] keeps 15 digits of a number, and a double can need 17. If `value` agrees in 15
#'   digits only, the check is `"not checked"`: later digits can be others, but they are far below
#'   the noise. To let readers check all digits, save the object, or write the columns with
#'   `sprintf("%.17g", x)`. If you read the file yourself, `read.csv()` can change texts, such as a
#'   key `"01"`: give it `colClasses = "character"`, or give the name of the file as `value`.
#' @section Format: Canonical JSON: keys in the order of their bytes, no spaces, ASCII. Numbers are
#'   exact decimals in text. `plan` is the text of [to_json()]; `domain` is the SHA-256 of the
#'   declared domain; `events` has each draw of noise, with its scale and how far neighbouring data
#'   move the number it is added to, in the same steps; `accuracy` bounds the noise of a
#'   released number, in all but a share `alpha` of releases; `time` is the time of the charge.
#'   `unit` is the unit of the ledger, an object with the members `columns`, `count`, `relation` and
#'   `what`, and `promise` the promise of the caller of [with_ledger()], or empty; receipts of
#'   ledgers that an older version made have words for `unit`, and no promise. `salt` and `sql` are
#'   the SHA-256 of the salt that a database drew samples with, and of the statement it ran; they
#'   are empty for data that R reads. `engine` is the counting engine, `"core"` for a data frame.
#'   `table` is the curator's name of the table. Receipts of a table without a name have no `table`.
#'   `release` and `rounded` are the SHA-256 of the release, with all digits and with 15. Receipts
#'   of versions before 0.1.1 have no `rounded`. `signature` signs all other bytes, by Ed25519, in
#'   hexadecimal, and is empty without a key.
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
#' @name dp_receipt
NULL

#' @rdname dp_receipt
#' @export
dp_receipt <- function(release) {
  call <- environment()
  parts <- if (is_string(release)) receipt_in_file(release, call) else receipt_of(release)
  if (is.null(parts)) {
    stop_argument("a release on a ledger, or the path of a receipt's file", describe(release),
      "release", call
    )
  }
  structure(parts, class = "dp_receipt")
}

# A form that no receipt has is refused here, because the methods take it for one.
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

# The parts of a receipt that are known before the charge.
receipt_parts <- function(ledger, claim) {
  state <- state_of(ledger)
  loss <- claim$price$loss
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

# Of a ledger with a unit, or with words of an older version, which knew no promise.
receipt_format <- function(unit) {
  if (is.list(unit)) "psilence-receipt-2" else "psilence-receipt-1"
}

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

# A list of equally long columns as a list of rows, whose numbers read back as the same
# ones. Missing values are left out.
rows_in_text <- function(columns) {
  columns <- lapply(columns, function(x) {
    if (is.numeric(x)) ifelse(is.na(x), NA, sprintf("%.17g", x)) else enc2utf8(as.character(x))
  })
  lapply(seq_len(max(lengths(columns))), function(i) {
    row <- lapply(columns, function(x) x[[min(i, length(x))]])
    row[!is.na(row)]
  })
}

# The plan as a receipt has it: empty if it holds a function of the caller.
plan_text <- function(form) UseMethod("plan_text")

#' @exportS3Method
plan_text.default <- function(form) { # nolint: object_name_linter.
  tryCatch(
    enc2utf8(as.character(to_json(planned(form)))), dp_error_serialization = function(error) ""
  )
}

# The statistic that a measurement is of, or itself.
planned <- function(measurement) {
  node <- plan_of(measurement)
  if (identical(node$part, "measurement") && is_statistic(node$of)) node$of else measurement
}

# As text that reads back as the same numbers.
distance_text <- function(d_in) paste(sprintf("%.17g", unlist(d_in)), collapse = ",")

# The receipt with its charge and the hashes of the value, signed.
signed_receipt <- function(parts, paid, hashes, key) {
  parts$ledger <- c(parts$ledger, list(charge_seq = paid$seq, head = paid$head))
  parts$time <- paid$time
  parts[names(hashes)] <- hashes
  parts$signature <- if (is.null(key)) "" else signature_of(parts, key)
  parts
}

signature_of <- function(parts, key) {
  signature_by(key, core_to_canonical_json(parts[names(parts) != "signature"]))
}

#' @rdname dp_receipt
#' @export
write_receipt <- function(release, file) {
  check_string(file)
  receipt <- if (inherits(release, "dp_receipt")) release else dp_receipt(release)
  core_replace_file(full_path(file), paste0(format(receipt), "\n"))
  invisible(file)
}

#' @rdname dp_receipt
#' @export
format.dp_receipt <- function(x, ...) core_to_canonical_json(unclass(x))

# An exact decimal, as its shortest name. A receipt from a stranger can hold anything.
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
  cat(lines, sep = "\n")
  invisible(x)
}
