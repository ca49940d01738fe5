local_receipt <- function(env = parent.frame()) {
  key <- dp_key(withr::local_tempfile(fileext = ".pem", .local_envir = env), create = TRUE)
  ledger <- local_ledger(key = key, env = env)
  statistic <- mean_age()
  with_ledger(ledger, statistic$release(hundred))
  list(
    ledger = ledger, key = key, receipt = dp_receipt(statistic), value = statistic$result$release
  )
}

results <- function(...) {
  checks <- verify_release(...)
  stats::setNames(checks$result, checks$check)
}

test_that("a receipt passes every possible check, and lists the impossible ones", {
  with <- local_receipt()
  expect_true(all(results(with$receipt, with$ledger, value = with$value) == "passed"))
  expect_identical(
    results(with$receipt),
    c(
      form = "passed", signature = "not checked", release = "not checked", plan = "passed",
      unit = "passed", facts = "passed", loss = "passed", record = "not checked",
      head = "not checked", advisories = "passed"
    )
  )
})

test_that("checks print the columns that are left of them", {
  checks <- verify_release(local_receipt()$receipt)
  expect_match(capture.output(print(checks))[[1]], "^form +passed +a receipt in canonical form$")
  expect_identical(capture.output(print(checks[1, c("check", "result")])), "form  passed")
  expect_identical(capture.output(print(checks[checks$check == "form", "result", drop = FALSE])),
    "passed"
  )
})

test_that("a receipt is written and read back byte by byte, and printed", {
  with <- local_receipt()
  file <- withr::local_tempfile()
  write_receipt(with$receipt, file)
  expect_identical(readLines(file), format(with$receipt))
  public <- file.path(with$ledger$where, "key.pub")
  expect_true(all(results(file, with$ledger, public, with$value) == "passed"))
  expect_output(print(with$receipt), "loss       epsilon 0.25")
})

test_that("the last charged release has a receipt, like its result", {
  ledger <- local_ledger()
  count <- charge(noisy_count(), ledger, d_in = 2L)
  expect_error(dp_receipt(count), class = "dp_error_invalid_argument")
  value <- count(c(1, 2))
  checks <- results(dp_receipt(count), ledger, value = value)
  expect_identical(checks[["signature"]], "not checked")
  expect_true(all(checks[names(checks) != "signature"] == "passed"))
  result <- with_ledger(ledger, mean_age()$release(hundred))
  expect_s3_class(dp_receipt(result), "dp_receipt")
  expect_error(dp_receipt(mean_age()), class = "dp_error_invalid_argument")
  expect_error(verify_release(tempdir()), class = "dp_error_invalid_argument")
})

test_that("a stored release has the receipt of the charge that paid for it", {
  ledger <- local_ledger()
  first <- dp_receipt(with_ledger(ledger, mean_age()$release(hundred)))
  again <- dp_receipt(quietly_reused(with_ledger(ledger, mean_age()$release(hundred))))
  expect_identical(format(again), format(first))
})

test_that("a receipt is read from its file, and prints and verifies as the receipt does", {
  with <- local_receipt()
  file <- write_receipt(with$receipt, withr::local_tempfile())
  read <- dp_receipt(file)
  expect_s3_class(read, "dp_receipt")
  expect_identical(format(read), format(with$receipt))
  expect_identical(capture.output(print(read)), capture.output(print(with$receipt)))
  expect_identical(
    verify_release(read, with$ledger, with$key$public, with$value),
    verify_release(with$receipt, with$ledger, with$key$public, with$value)
  )
  expect_identical(readLines(write_receipt(read, withr::local_tempfile())), readLines(file))
})

test_that("a file without a receipt is refused", {
  with <- local_receipt()
  file <- withr::local_tempfile()
  of <- function(text) {
    writeBin(charToRaw(text), file)
    file
  }
  text <- format(with$receipt)
  for (bad in c("", "{}", "[]", "1", "x", sub("format", "Format", text), paste0(text, " "),
    strrep("[", 1e5), sub("{", "{ ", text, fixed = TRUE))) {
    expect_error(dp_receipt(of(bad)), "the path of a receipt's file",
      class = "dp_error_invalid_argument"
    )
  }
  expect_error(dp_receipt(tempfile()), "not the path of a file",
    class = "dp_error_invalid_argument"
  )
})

test_that("T_RCPT: every changed byte is detected", {
  with <- local_receipt()
  file <- withr::local_tempfile()
  text <- charToRaw(format(with$receipt))
  places <- seq(1, length(text), by = 7)
  is_refused <- function(bytes) {
    writeBin(bytes, file)
    checks <- results(file, with$ledger, with$key$public, with$value)
    any(checks[c("form", "signature")] == "failed")
  }
  # Flips one bit. It changes a digit or a letter's case, turns a space into a NUL, or makes a byte
  # that is not ASCII.
  bits <- as.raw(c(1, 32, 128))
  found <- vapply(places, function(place) {
    changed <- text
    changed[[place]] <- xor(changed[[place]], bits[[place %% 3 + 1]])
    is_refused(changed)
  }, NA)
  expect_true(all(found))
  expect_true(is_refused(c(text, charToRaw("\n"), as.raw(0), charToRaw("{}"))))
  expect_true(is_refused(c(text, charToRaw("\n\n"))))
  expect_true(is_refused(raw()))
  expect_false(is_refused(c(text, charToRaw("\n"))))
})

test_that("T_RCPT: a foreign key, a lower loss, and a different plan or value fail", {
  with <- local_receipt()
  other <- local_receipt()
  signed <- function(receipt) {
    receipt$signature <- signature_of(unclass(receipt), with$key)
    receipt
  }
  expect_identical(results(with$receipt, pubkey = other$key$public)[["signature"]], "failed")
  lower <- with$receipt
  below <- "0.2499999999999999722444243843710864894092082977294921875" # by one double
  lower$loss$epsilon <- lower$map$d_out$epsilon <- below
  checks <- results(signed(lower), with$ledger)
  expect_identical(checks[["signature"]], "passed")
  expect_identical(checks[c("loss", "record")], c(loss = "failed", record = "failed"))
  wider <- with$receipt
  wider$plan <- sub("93", "94", wider$plan, fixed = TRUE)
  expect_identical(results(signed(wider), with$ledger)[["plan"]], "failed")
  expect_identical(results(with$receipt, value = with$value + 1e-9)[["release"]], "failed")
  expect_identical(
    results(with$receipt, other$ledger)[c("record", "head")],
    c(record = "failed", head = "failed")
  )
  unsigned <- with$receipt
  unsigned$signature <- ""
  expect_identical(results(unsigned, with$ledger)[["signature"]], "failed")
})

test_that("T_RCPT: a receipt of another release fails on the ledger that stored the release", {
  # Only the ledger protects a receipt without a signature.
  ledger <- local_ledger()
  count <- charge(noisy_count(8), ledger, d_in = 2L)
  value <- count(c(1, 2))
  receipt <- dp_receipt(count)
  record <- function(receipt, value) {
    results(receipt, ledger, value = value)[c("release", "record")]
  }
  expect_identical(record(receipt, value), c(release = "passed", record = "passed"))
  forged <- receipt
  forged[c("release", "rounded")] <- release_hashes(value + 1)
  expect_identical(record(forged, value + 1), c(release = "passed", record = "failed"))
  forged$rounded <- NULL
  forged$release <- core_sha256(release_text(typed_form(value + 1)))
  expect_identical(record(forged, value + 1), c(release = "passed", record = "failed"))
  for (field in c("engine", "package", "salt", "sql")) {
    forged <- receipt
    forged[[field]] <- "another"
    expect_identical(results(forged, ledger)[["record"]], "failed")
  }
})

test_that("a receipt of an older release verifies, until its stored release is gone", {
  ledger <- local_ledger()
  release_anew <- function() {
    dp_receipt(release(mean_age(), data = hundred, on = ledger, reuse = FALSE))
  }
  receipts <- list(release_anew(), release_anew())
  release(mean_age(0.1), data = hundred, on = ledger)
  files <- vapply(receipts, function(receipt) {
    expect_identical(results(receipt, ledger)[["record"]], "passed")
    pattern <- paste0("-", receipt$ledger$charge_seq, ".json$")
    list.files(file.path(ledger$where, "releases"), pattern, full.names = TRUE)
  }, "")
  cat(" ", file = files[[1]], append = TRUE)
  unlink(files[[2]])
  for (receipt in receipts) {
    expect_identical(results(receipt, ledger)[["record"]], "not checked")
  }
})

test_that("T_RCPT: a receipt holds accuracy, domain and time, of the plan and the charge", {
  with <- local_receipt()
  receipt <- with$receipt
  expect_identical(receipt$accuracy[[1]]$column, "age")
  expect_equal(as.numeric(receipt$accuracy[[1]]$value), mean_age()$accuracy)
  expect_match(receipt$domain, "^[0-9a-f]{64}$")
  expect_identical(receipt$time, format(dp_history(with$ledger)$time, "%Y-%m-%dT%H:%M:%SZ"))
  expect_identical(c(receipt$salt, receipt$sql), c("", ""))
  changed <- function(field, value) {
    receipt[[field]] <- value
    results(receipt, with$ledger)
  }
  flattered <- list(list(alpha = "0.05", column = "age", value = "0.1"))
  expect_identical(changed("accuracy", flattered)[["facts"]], "failed")
  expect_identical(changed("domain", strrep("0", 64))[["facts"]], "failed")
  expect_identical(changed("time", "2020-01-01T00:00:00Z")[["record"]], "failed")
})

test_that("invalid receipts raise errors", {
  expect_error(verify_release(1), class = "dp_error_invalid_argument")
  file <- withr::local_tempfile()
  writeLines("{}", file)
  expect_identical(results(file)[["form"]], "failed")
  writeLines("no JSON", file)
  expect_identical(results(file)[["form"]], "failed")
})

test_that("D_R_3: a receipt holds nothing of the data except the release's hash", {
  ledger <- local_ledger()
  canary <- data.frame(age = rep(c(47.417339, 51.7093), 50))
  result <- with_ledger(ledger, mean_age()$release(canary))
  text <- format(dp_receipt(result))
  for (hidden in c("47.417", "51.709", format(result$release, digits = 15))) {
    expect_false(grepl(hidden, text, fixed = TRUE))
  }
  expect_match(text, release_hashes(result$release)$release, fixed = TRUE)
})

test_that("T_RCPT: events state the drawn noise, and how far one row moves the exact value", {
  ratio <- function(event) as.numeric(event$sensitivity) / as.numeric(event$scale)
  with <- local_receipt()
  events <- with$receipt$events
  expect_identical(vapply(events, `[[`, "", "mechanism"), "laplace")
  expect_lte(ratio(events[[1]]), 0.25)
  expect_gt(ratio(events[[1]]), 0.2499999)
  quieter <- with$receipt
  quieter$events[[1]]$scale <- "1"
  expect_identical(results(quieter, with$ledger)[["facts"]], "failed")
  two <- make_composition(list(noisy_count(4), noisy_count(8)))
  ledger <- local_ledger()
  count <- charge(two, ledger, d_in = 2L)
  count(c(1, 2))
  expect_identical(
    dp_receipt(count)$events,
    lapply(c("4", "8"), function(scale) {
      list(scale = scale, mechanism = "laplace", sensitivity = "2")
    })
  )
  expect_identical(results(dp_receipt(count), ledger)[["facts"]], "passed")
})

test_that("T_RCPT: each statistic's plan gives the events of its noise", {
  d_in <- protected_rows
  for (statistic in example_statistics()) {
    events <- noise_events(statistic, d_in)
    expect_gt(length(events), 0)
    for (event in events) expect_true(is_string(event$mechanism) && is_string(event$sensitivity))
    # A statistic that holds a user function has no JSON.
    text <- plan_text(statistic$measurement)
    again <- if (nzchar(text)) suppressWarnings(from_json(text), classes = "dp_warning_noise")
    expect_identical(noise_events(again %||% statistic, d_in), events)
  }
})

verify_alone <- function(...) {
  script <- system.file("verify-receipt.R", package = "PSIlence")
  done <- processx::run(file.path(R.home("bin"), "Rscript"), c("--vanilla", script, ...),
    error_on_status = FALSE
  )
  lines <- strsplit(done$stdout, "\n")[[1]]
  checks <- sub(" [(].*", "", sub("^[a-z]+: ", "", lines))
  list(status = done$status, checks = stats::setNames(checks, sub(":.*", "", lines)))
}

test_that("T_RCPT: each check of the standalone verifier can fail separately", {
  ledger <- local_ledger()
  receipt <- dp_receipt(with_ledger(ledger, mean_age()$release(hundred)))
  with_ledger(ledger, mean_age(0.5)$release(hundred))
  file <- withr::local_tempfile()
  write_receipt(receipt, file)
  text <- readLines(file)
  records <- readLines(ledger_text(ledger))
  key <- withr::local_tempfile()
  writeLines(strrep("0", 64), key)
  checks <- function(receipt = text, public = "none", lines = records) {
    writeLines(receipt, file)
    writeLines(lines, ledger_text(ledger))
    done <- verify_alone(file, public, ledger_text(ledger))
    expect_identical(done$status, if (any(done$checks == "FAILED")) 1L else 0L)
    done$checks
  }
  good <- c(
    form = "passed", signature = "not checked", contents = "not checked", chain = "passed",
    charge = "passed"
  )
  fails <- function(check) replace(good, check, "FAILED")
  expect_identical(checks(), good)
  forms <- list(
    c(text, ""), paste0(text, " x"), paste0(text, "{}"), paste0(text, "]"), paste0(" ", text),
    sub("\"map\":{", "\"map\":{{", text, fixed = TRUE), sub("}$", "", text), "", "{}"
  )
  for (other in forms) expect_identical(checks(receipt = other)[["form"]], "FAILED")
  writeBin(c(charToRaw(text), as.raw(c(0, 10))), file)
  expect_identical(verify_alone(file, "none")$checks[["form"]], "FAILED")
  expect_identical(checks(public = key), fails("signature")[-3])
  last <- length(records)
  shifted <- sub('"time":"2', '"time":"3', records[[last]], fixed = TRUE)
  expect_identical(checks(lines = replace(records, last, shifted)), fails("chain"))
  changes <- list(
    c('"epsilon":"0.25"', '"epsilon":"0.20"'), c('"version":"2026-03"', '"version":"x"'),
    c('"dataset":"survey"', '"dataset":"surveY"'), c('"time":"2', '"time":"3'),
    c('"plan_hash":"', '"plan_hash":"0'), c('"relation":"replace"', '"relation":"add_remove"'),
    c('"promise":""', '"promise":"one row each"')
  )
  for (change in changes) {
    other <- gsub(change[[1]], change[[2]], text, fixed = TRUE)
    expect_identical(checks(receipt = other), fails("charge"))
  }
})

test_that("the standalone verifier agrees", {
  with <- local_receipt()
  file <- withr::local_tempfile()
  write_receipt(with$receipt, file)
  script <- system.file("verify-receipt.R", package = "PSIlence")
  verify <- function(...) {
    processx::run(file.path(R.home("bin"), "Rscript"), c("--vanilla", script, ...),
      error_on_status = FALSE)
  }
  public <- file.path(with$ledger$where, "key.pub")
  good <- verify(file, public)
  expect_identical(good$status, 0L)
  expect_match(good$stdout, "signature: passed")
  writeLines(sub('"dataset":"survey"', '"dataset":"surveY"', readLines(file)), file)
  bad <- verify(file, public)
  expect_identical(bad$status, 1L)
  expect_match(bad$stdout, "signature: FAILED")
  open <- local_ledger()
  with_ledger(open, mean_age()$release(hundred))
  write_receipt(with_ledger(open, mean_age(0.5)$release(hundred)), file)
  chain <- verify(file, "none", ledger_text(open))
  expect_identical(chain$status, 0L)
  expect_match(chain$stdout, "chain: passed")
  text <- readLines(ledger_text(open))
  writeLines(text[-3], ledger_text(open))
  expect_identical(verify(file, "none", ledger_text(open))$status, 1L)
})

# Receipt of a query on a ledger for people.
receipt_of_query <- function(unit = dp_unit(id = c(ward, patient)), key = NULL,
                             env = parent.frame()) {
  local_verbs(env)
  where <- file.path(withr::local_tempdir(.local_envir = env), "people.ledger")
  ledger <- create_ledger(where, "stays", unit, dp_epsilon(1), version = "1", key = key)
  table <- dp_truncate(stays_in(dp_session(ledger = ledger), unit = unit), max_rows = 2)
  released <- release(summarise(table, n = dp_count()), epsilon = 0.1)
  list(ledger = ledger, receipt = dp_receipt(released), value = released)
}

test_that("T_RCPT: the loss is checked at the distance of the plan, not of the receipt", {
  with <- receipt_of_query()
  checks <- results(with$receipt, with$ledger)
  expect_identical(checks[c("unit", "facts", "loss")],
    c(unit = "passed", facts = "passed", loss = "passed")
  )
  changed <- function(receipt, field, value) {
    receipt[[field]] <- value
    results(receipt)
  }
  for (d_in in c("0", "0.5", "2", "-1", "NaN", "", "1,1", "01")) {
    map <- utils::modifyList(with$receipt$map, list(d_in = d_in))
    expect_identical(changed(with$receipt, "map", map)[["unit"]], "failed")
  }
  unit <- with$receipt$unit
  others <- list(
    "1 row", "ward", "2 ward and patient", "patient and ward and x", list("ward"), list(), NULL,
    replace(unit, "columns", list(list("ward"))), replace(unit, "count", 2),
    replace(unit, "count", "1"), replace(unit, "relation", "replace"), unit[-1]
  )
  for (other in others) {
    expect_identical(changed(with$receipt, "unit", other)[["unit"]], "failed")
  }
  # Receipts of ledgers from older versions.
  expect_identical(changed(with$receipt, "unit", "patient and ward")[["unit"]], "passed")
  of_mean <- local_receipt()$receipt
  for (d_in in c("0", "2")) {
    map <- utils::modifyList(of_mean$map, list(d_in = d_in))
    expect_identical(changed(of_mean, "map", map)[["unit"]], "failed")
  }
})

test_that("T_RCPT: a plan with a larger loss fails at every distance in the receipt", {
  with <- receipt_of_query()
  receipt <- with$receipt
  plan <- planned_in(from_json(receipt$plan))
  plan$loss$epsilon <- 50
  receipt$plan <- text_of_planned(plan)
  receipt$plan_hash <- plan_hash(plan)
  for (d_in in c("1", "0")) {
    receipt$map$d_in <- d_in
    receipt[c("domain", "accuracy", "events")] <- planned_facts(plan, as.double(d_in))
    expect_identical(results(receipt)[["loss"]], "failed")
  }
})

test_that("T_RCPT: a framework measurement is not checked at a distance of 0", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  count <- charge(noisy_count(), ledger, d_in = 1L)
  count(c(1, 2))
  receipt <- dp_receipt(count)
  receipt$map$d_in <- "0"
  expect_identical(results(receipt)[["loss"]], "failed")
})

# Receipts from other sources ---------------------------------------------------------------------

# Positions of all nodes within lists.
places_in <- function(x, at = list()) {
  inner <- if (is.list(x)) lapply(seq_along(x), function(i) places_in(x[[i]], c(at, i)))
  c(list(at)[length(at) > 0], unlist(inner, recursive = FALSE))
}

# `x` with one node replaced or removed.
with_node <- function(x, at, node) {
  i <- at[[1]]
  if (length(at) > 1) {
    x[[i]] <- with_node(x[[i]], at[-1], node)
  } else if (is.null(node)) {
    x <- x[-i]
  } else {
    x[[i]] <- node
  }
  x
}

# Checks that depend on a field, and must fail if it holds something else.
checks_of_field <- list(
  format = "form", dataset = "record", version = "record", measure = c("loss", "record"),
  unit = "record", loss = c("loss", "record"), plan_hash = c("plan", "record"),
  map = c("unit", "loss"), plan = c("plan", "unit", "facts", "loss"), ledger = c("record", "head"),
  domain = "facts", accuracy = "facts", events = "facts", time = "record", package = "advisories",
  release = "release", rounded = "release", signature = "signature"
)

kinds_of_nodes <- list(NULL, "x", "", list(), list(a = "x"), 1, NA, TRUE, c("a", "b"), mean, 1i)

# Faults of a receipt's checks: an R error or warning, or a result with a wrong form.
judged <- function(receipt, ...) {
  tryCatch(
    results(structure(receipt, class = "dp_receipt"), ...),
    condition = function(condition) conditionMessage(condition)
  )
}

receipts_to_edit <- function(env = parent.frame()) {
  of_mean <- local_receipt(env)
  of_query <- receipt_of_query(key = of_mean$key, env = env)
  list(of_mean, c(of_query, list(key = of_mean$key)))
}

test_that("a receipt with any node replaced or removed fails without an R error", {
  for (with in receipts_to_edit()) {
    receipt <- unclass(with$receipt)
    good <- judged(receipt, with$ledger, with$key$public, with$value)
    expect_true(all(good == "passed"))
    places <- places_in(receipt)
    for (i in seq_along(places)) {
      at <- places[[i]]
      field <- names(receipt)[[at[[1]]]]
      # In the quick tier each position gets two of the kinds.
      for (node in kinds_of_nodes[in_tier((i + c(0, 5)) %% 11 + 1, seq_len(11))]) {
        edited <- with_node(receipt, at, node)
        if (identical(edited, receipt)) next
        seen <- judged(edited, with$ledger, with$key$public, with$value)
        about <- paste(field, toString(at), class(node))
        expect_named(seen, names(good), info = about)
        expect_identical(seen[["signature"]], "failed", info = about)
        if (length(at) == 1) {
          expect_false(any(seen[checks_of_field[[field]]] == "passed"), info = about)
        }
      }
    }
  }
})

test_that("a plan without any of its nodes fails without an R error", {
  for (with in receipts_to_edit()) {
    receipt <- unclass(with$receipt)
    good <- judged(receipt)
    plan <- jsonlite::parse_json(receipt$plan)
    write <- function(x) {
      as.character(jsonlite::toJSON(x, auto_unbox = TRUE, null = "null", digits = NA))
    }
    places <- places_in(plan)
    for (at in places[seq(1, length(places), by = in_tier(8, 1))]) {
      receipt$plan <- write(with_node(plan, at, NULL))
      seen <- judged(receipt)
      expect_named(seen, names(good), info = receipt$plan)
      # Dropping a node that equals its default keeps the plan.
      if (seen[["plan"]] == "passed") expect_identical(seen, good, info = receipt$plan)
      object <- object_of_plan(receipt)
      receipt$plan_hash <- or_else(plan_hash(object)) %||% receipt$plan_hash
      expect_named(judged(receipt), names(good), info = receipt$plan)
      receipt$plan_hash <- with$receipt$plan_hash
    }
  }
})

test_that("a file that holds no receipt fails without an R error", {
  file <- withr::local_tempfile()
  for (text in c("", "{}", "[]", "[1,2]", "\"a\"", "1", "null", "{\"map\":\"1\"}", "no JSON")) {
    writeLines(text, file)
    expect_identical(results(file)[["form"]], "failed")
  }
  for (object in list("a", 1, NULL_receipt = list(), list(1, 2), mean)) {
    expect_identical(results(structure(object, class = "dp_receipt"))[["form"]], "failed")
  }
})

test_that("a printed receipt shows a loss as its shortest decimal, and its text has all digits", {
  ledger <- local_ledger(2)
  with_ledger(ledger, age <- mean_age(0.1)$release(hundred))
  receipt <- dp_receipt(age)
  expect_match(receipt$loss$epsilon, "^0.1000000000000000055")
  shown <- capture.output(print(receipt))
  expect_identical(shown[[2]], "  loss       epsilon 0.1")
  expect_match(format(receipt), receipt$loss$epsilon, fixed = TRUE)
  strange <- structure(utils::modifyList(unclass(receipt), list(loss = list(epsilon = "much"))),
    class = "dp_receipt"
  )
  expect_output(print(strange), "epsilon much")
})
