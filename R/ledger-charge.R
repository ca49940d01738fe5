#' Releases that a ledger pays for
#'
#' Everything that is released while `code` runs is charged to the ledger: each statistic, such as
#' [dpMean()], by its own `$release()`, before it reads data. A framework measurement does not know
#' how far apart neighbouring datasets are: `charge()` makes a function of it that says so, charges,
#' and releases. Called directly within `code`, a measurement is refused, so that nothing is
#' forgotten.
#'
#' A release is stored beside its charge. The same plan for the same version of the data returns it
#' again, free: what was released is public already. So a report that is knitted twice costs once.
#' With `reuse = FALSE` new noise is drawn and paid. Whether two plans are the same is decided by
#' [plan_hash()], from public arguments alone; the data are not looked at. Other data under the same
#' version are a mistake of the caller, who is handed the release of the former.
#'
#' @param ledger ([dp_ledger()])
#' @param code What to run, with its value.
#' @param measurement (`measurement`)
#' @param d_in The distance of neighbouring datasets for the unit of the ledger, as
#'   `measurement(d_in = )` takes it.
#' @param version (`character(1)`) The version of the data, `NULL` for the newest of the ledger.
#' @param reuse (`logical(1)`) Whether a stored release may be returned.
#' @param promise (`character(1)`) Why what is released protects the unit of the ledger, where the
#'   measurement does not say so, such as `"one row per patient"`. The caller promises it; record
#'   and receipt hold it. `NULL`: nothing is promised. Public.
#' @returns `with_ledger()`: the value of `code`. `charge()`: a function of one argument, the data,
#'   that returns the release. The result of a statistic that was returned again has the attribute
#'   `reused`, the number of the record that paid for it.
#' @section Unit: A statistic protects one replaced row, `dp_unit(changes = 1)`. A measurement
#'   protects `d_in` rows, `dp_unit(rows = d_in)`, if its input metric is [symmetric_distance()] or
#'   [insert_delete_distance()], and `dp_unit(changes = d_in)` if it is [change_one_distance()] or
#'   [hamming_distance()]; other metrics have no unit. On a ledger whose unit does not follow from
#'   it ([dp_unit()] has the rule) it is refused. With `promise`, a replaced person counts as one
#'   replaced row, so `d_in` of a symmetric distance must be 2. No promise hides whether a person is
#'   there: the unit of the ledger must have the relation `"replace"`.
#' @section Privacy: The charge is the map of the measurement that runs. It is made before the data
#'   are read, is the same whatever they are, and stays if the release fails.
#' @section Errors: `dp_error_budget` if the ledger has less left than a release costs, or does not
#'   count in its measure; `dp_error_unit` for what protects another unit, and for a promise that
#'   the ledger cannot take; `dp_error_ledger` for an unknown version, a stored release that was
#'   changed, and a measurement that is called without `charge()`. Before all of these nothing was
#'   spent. A release that cannot be stored is returned with a warning of class
#'   `dp_warning_store`, also with `options(warn = 2)`. A handler that jumps finds the release in
#'   the field `release` of the condition.
#' @examples
#' enable_features("contrib")
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", dp_unit(rows = 1), dp_epsilon(1),
#'   version = "2026-03"
#' )
#' noisy_count <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_count() |>
#'   then_laplace(scale = 4)
#' count_rows <- charge(noisy_count, ledger, d_in = 1L)
#' count_rows(PUMS5extract10000$income)
#' count_rows(PUMS5extract10000$income) # the same, and free
#' dp_spent(ledger)
#' @name with_ledger
NULL

#' @rdname with_ledger
#' @export
with_ledger <- function(ledger, code, version = NULL, reuse = TRUE, promise = NULL) {
  account <- new_account(ledger, version, reuse, environment(), promise)
  former <- payer$account
  on.exit(payer$account <- former)
  payer$account <- account
  code
}

new_account <- function(ledger, version, reuse, call, promise = NULL) {
  check_class(ledger, "dp_ledger", call = call)
  check_string(version, null = TRUE, call = call)
  check_flag(reuse, call = call)
  list(
    ledger = ledger, version = version %||% newest_version(ledger), reuse = reuse,
    promise = check_promise(promise, ledger, call)
  )
}

#' @rdname with_ledger
#' @export
charge <- function(measurement, ledger, d_in, version = NULL, reuse = TRUE, promise = NULL) {
  check_class(measurement, "measurement")
  account <- new_account(ledger, version, reuse, environment(), promise)
  plan <- plan_hash(measurement)
  if (is.null(plan)) {
    stop_argument("a measurement with a plan", "one that holds a state", "measurement",
      environment())
  }
  # What the ledger cannot count is refused now, and so is another unit.
  price_of(account, plan, list(measurement, d_in))
  check_unit_of_release(account, measured_unit(measurement, d_in), "this measurement")
  last <- NULL
  release <- function(data, ...) {
    check_names(...)
    force(data)
    last <<- released_on(account, plan, list(measurement, d_in), function() {
      refuse_queryable(measurement(arg = data))
    })
    signal_held(last$held, last$value)
    last$value
  }
  structure(release, class = "dp_charged")
}

# A queryable answers later, when its lock on the order of answers is out of the ledger's sight.
refuse_queryable <- function(release) {
  if (inherits(release, c("queryable", "odometer_queryable"))) {
    stop_dp("a ledger pays for releases, not for queryables that answer later.", "ledger",
      call = NULL
    )
  }
  release
}

price_of <- function(account, plan, loss) {
  core_ledger_price(ledger_handle(account$ledger), plan, loss, account$version)
}

# What `run` releases, paid from `account`, or what was stored of it: list(value, reused, receipt,
# held). The caller gives `held` to signal_held(), once the value is safe.
# `shown` makes of it what the reader sees, whose hash is in the receipt.
# `about` is what the receipt says of the plan, list(d_in, plan, facts), and perhaps `ran()`, what
# it says afterwards of what ran.
released_on <- function(account, plan, loss, run, shown = identity,
                        about = about_measurement(loss), ready = function() NULL) {
  price <- price_of(account, plan, loss)
  stored <- if (account$reuse) stored_release(account$ledger, price)
  if (!is.null(stored)) {
    say_reused(price$charge)
    return(list(value = stored$value, reused = price$charge, receipt = stored$receipt))
  }
  # What can fail without data fails before anything is paid.
  ready()
  parts <- receipt_parts(account, plan, about, price)
  released <- holding_conditions({
    paid <- charge_ledger(account$ledger, plan, loss, account$version, account$promise)
    value <- with_payment(run())
    if (!is.null(about$ran)) parts <- utils::modifyList(parts, about$ran())
    list(value = value, receipt = kept_release(account$ledger, price, paid, value, parts, shown))
  })
  c(released$value, list(held = released$held))
}

say_reused <- function(charge) {
  sentence <- paste0("Stored release of record ", charge, "; nothing spent.")
  rlang::inform(sentence, class = c("dp_message_reused", "dp_message"))
}

#' @export
format.dp_charged <- function(x, ...) {
  account <- environment(x)$account
  place <- describe_place(account$ledger$where)
  c(
    "Measurement that is charged to a ledger",
    paste0("  ", format(place[[1]], width = 9), place[[2]])
  )
}

#' @export
print.dp_charged <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
