# Ledgers that move, backups that are restored, and witnesses that are files.

place_beside <- function(ledger, name) file.path(dirname(ledger$where), name)

test_that("a moved ledger takes its releases with it, and is closed where it was", {
  key <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  ledger <- local_ledger(key = key)
  first <- with_ledger(ledger, mean_age()$release(hundred))
  head <- dp_ledger_head(ledger)
  moved <- dp_ledger_move(ledger, place_beside(ledger, "new.ledger"))
  expect_identical(
    quietly_reused(with_ledger(moved, mean_age()$release(hundred)))$release, first$release
  )
  with_ledger(moved, mean_age(0.5)$release(hundred))
  expect_error(with_ledger(ledger, mean_age(0.125)$release(hundred)), "new.ledger: open it",
    class = "dp_error_ledger"
  )
  expect_error(dp_new_version(dp_ledger(ledger$where, key = key), "2026-04"), "goes on in",
    class = "dp_error_ledger"
  )
  expect_match(format(ledger), "moved to folder .*new.ledger", all = FALSE)
  # The old place still shows the spent budget, and the new one that it is the same ledger.
  expect_identical(spent_in(ledger), 0.25)
  expect_identical(unique(dp_ledger_verify(moved$where, head, key)$result[1:5]), "passed")
  checks <- verify_release(dp_receipt(first), moved)
  passed <- checks$check[checks$result == "passed"]
  expect_true(all(c("record", "head", "signature") %in% passed))
  expect_true(file.exists(file.path(moved$where, "key.pub")))
})

test_that("a move that was interrupted is completed by the next call, in the same place alone", {
  ledger <- local_ledger()
  first <- with_ledger(ledger, mean_age()$release(hundred))
  to <- place_beside(ledger, "new.ledger")
  # Before the releases were copied
  core_ledger_move(ledger_handle(ledger), to, paste("folder", to))
  expect_length(list.files(file.path(to, "releases")), 0)
  expect_error(dp_ledger_move(ledger, place_beside(ledger, "other")), "goes on in",
    class = "dp_error_ledger"
  )
  moved <- dp_ledger_move(ledger, to)
  expect_identical(
    quietly_reused(with_ledger(moved, mean_age()$release(hundred)))$release, first$release
  )
  # Before the copy was there
  other <- local_ledger()
  gone <- place_beside(other, "gone.ledger")
  core_ledger_move(ledger_handle(other), gone, paste("folder", gone))
  unlink(gone, recursive = TRUE)
  with_ledger(dp_ledger_move(other, gone), mean_age()$release(hundred))
})

test_that("a ledger whose move was completed is never copied again", {
  ledger <- local_ledger()
  to <- place_beside(ledger, "new.ledger")
  moved <- dp_ledger_move(ledger, to)
  with_ledger(moved, mean_age(0.75)$release(hundred))
  file.rename(to, place_beside(ledger, "elsewhere"))
  for (again in list(ledger, dp_ledger(ledger$where))) {
    for (place in c(to, place_beside(ledger, "other"))) {
      expect_error(dp_ledger_move(again, place), "goes on in", class = "dp_error_ledger")
      expect_false(dir.exists(place))
    }
  }
})

test_that("a place that holds a ledger closes nothing", {
  ledger <- local_ledger()
  other <- local_ledger()
  expect_error(dp_ledger_move(ledger, other$where), class = "dp_error_ledger")
  with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(spent_in(ledger), 0.25)
})

test_that("a key is replaced by allocating the rest to a ledger with another key", {
  old <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  new <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  ledger <- local_ledger(key = old)
  first <- with_ledger(ledger, mean_age()$release(hundred))
  rest <- dp_epsilon(dp_remaining(ledger)[["epsilon"]])
  successor <- dp_allocate(ledger, rest, place_beside(ledger, "new.ledger"), key = new)
  expect_error(dp_ledger(successor$where, key = old), "not the key", class = "dp_error_ledger")
  with_ledger(successor, mean_age(0.75)$release(hundred))
  expect_error(
    with_ledger(ledger, mean_age(0.125)$release(hundred)), class = "dp_error_budget"
  )
  checks <- verify_release(dp_receipt(first), pubkey = file.path(ledger$where, "key.pub"))
  expect_identical(checks$result[checks$check == "signature"], "passed")
  # The old ledger still repeats its releases.
  again <- quietly_reused(with_ledger(ledger, mean_age()$release(hundred)))
  expect_identical(again$release, first$release)
})

# A ledger, and a backup that lacks its second charge.
with_backup <- function(env = parent.frame()) {
  ledger <- local_ledger(env = env)
  with_ledger(ledger, mean_age()$release(hundred))
  backup <- readLines(ledger_text(ledger))
  with_ledger(ledger, mean_age(0.5)$release(hundred))
  head <- dp_ledger_head(ledger)
  writeLines(backup, ledger_text(ledger))
  list(where = ledger$where, head = head)
}

test_that("a backup is charged for the lost records, and then accepts the lost head", {
  made <- with_backup()
  expect_error(dp_ledger(made$where, head = made$head), "dp_ledger_restore", fixed = TRUE,
    class = "dp_error_ledger"
  )
  expect_error(dp_ledger_restore(made$where, dp_epsilon(0.9), made$head), "0.75 is left",
    class = "dp_error_budget"
  )
  expect_error(dp_ledger_restore(made$where, dp_zcdp(0.1), made$head), "counts in epsilon",
    class = "dp_error_budget"
  )
  restored <- dp_ledger_restore(made$where, dp_epsilon(0.5), made$head)
  expect_identical(spent_in(restored), 0.75)
  expect_identical(spent_in(dp_ledger(made$where, head = made$head)), 0.75)
  expect_identical(tail(dp_history(restored)$epsilon, 1), 0.5)
  checks <- dp_ledger_verify(made$where, head = made$head)
  expect_match(checks$detail[checks$check == "sums"], "epsilon 0.5 of it was declared")
  expect_match(checks$detail[checks$check == "head"], "restored without them")
  expect_error(
    with_ledger(restored, mean_age(0.375)$release(hundred)), class = "dp_error_budget"
  )
})

test_that("moves and restores of a signed ledger verify with the public key", {
  key <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  ledger <- local_ledger(key = key)
  with_ledger(ledger, mean_age()$release(hundred))
  pubkey <- file.path(ledger$where, "key.pub")
  dp_ledger_restore(ledger$where, dp_epsilon(0.25), key = key)
  expect_error(dp_ledger_restore(ledger$where, dp_epsilon(0.25)), "key", class = "dp_error_ledger")
  moved <- dp_ledger_move(dp_ledger(ledger$where, key = key), place_beside(ledger, "new.ledger"))
  for (where in c(ledger$where, moved$where)) {
    checks <- dp_ledger_verify(where, pubkey = pubkey)
    expect_identical(checks$result[1:3], rep("passed", 3), info = where)
    expect_identical(dp_spent(dp_ledger(where, pubkey = pubkey))[["epsilon"]], 0.5, info = where)
  }
  reader <- dp_ledger(moved$where, pubkey = pubkey)
  expect_error(dp_ledger_move(reader, place_beside(ledger, "other.ledger")), class = "dp_error")
})

test_that("a head that the ledger holds is nothing lost", {
  ledger <- local_ledger()
  with_ledger(ledger, mean_age()$release(hundred))
  expect_error(
    dp_ledger_restore(ledger$where, dp_epsilon(0.5), dp_ledger_head(ledger)), "nothing is lost",
    class = "dp_error_ledger"
  )
  expect_identical(spent_in(dp_ledger(ledger$where)), 0.25)
})

test_that("a witness in a file refuses a backup until it is restored", {
  file <- withr::local_tempfile()
  ledger <- local_ledger()
  opened <- dp_ledger(ledger$where, witness = file)
  expect_identical(readLines(file), dp_ledger_head(ledger))
  with_ledger(opened, mean_age()$release(hundred))
  expect_identical(readLines(file), dp_ledger_head(ledger))
  backup <- readLines(ledger_text(ledger))
  with_ledger(opened, mean_age(0.5)$release(hundred))
  seen <- readLines(file)
  writeLines(backup, ledger_text(ledger))
  expect_error(dp_ledger(ledger$where, witness = file), "older copy", class = "dp_error_ledger")
  expect_identical(readLines(file), seen)
  restored <- dp_ledger_restore(ledger$where, dp_epsilon(0.5), witness = file)
  expect_identical(readLines(file), dp_ledger_head(restored))
  expect_identical(spent_in(dp_ledger(ledger$where, witness = file)), 0.75)
  # A head that was given is checked as well.
  expect_error(dp_ledger(ledger$where, head = sub("^.:", "3:", seen), witness = file),
    class = "dp_error_ledger"
  )
})

test_that("a witness refuses the charges of a second copy, of whatever age", {
  file <- withr::local_tempfile()
  ledger <- local_ledger()
  folder <- withr::local_tempdir()
  file.copy(ledger$where, folder, recursive = TRUE)
  one <- dp_ledger(ledger$where, witness = file)
  two <- dp_ledger(file.path(folder, basename(ledger$where)), witness = file)
  with_ledger(one, mean_age(0.75)$release(hundred))
  expect_error(with_ledger(two, mean_age(0.5)$release(hundred)), "another copy of it was charged",
    class = "dp_error_ledger"
  )
  with_ledger(one, mean_age(0.125)$release(hundred))
})

test_that("a witness keeps the newest head, and refuses a file of another kind", {
  file <- withr::local_tempfile()
  heads <- paste0(c(9, 10, 4), ":", strrep(c("a", "b", "c"), 64))
  for (head in heads) keep_head(file, head)
  expect_identical(readLines(file), heads[[2]])
  ledger <- local_ledger()
  for (text in c("", "notes of mine", heads)) {
    lines <- if (text == heads[[1]]) heads else text
    other <- withr::local_tempfile(lines = lines)
    error <- expect_error(dp_ledger(ledger$where, witness = other), class = "dp_error")
    expect_identical(readLines(other), lines)
  }
  expect_error(dp_ledger(ledger$where, witness = 3), "`witness`",
    class = "dp_error_invalid_argument"
  )
})
