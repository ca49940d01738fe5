test_that("a table prints public facts and no row", {
  session <- dp_session(dp_zcdp(0.5))
  expect_snapshot(stays_in(session))
  stays <- stays_in(session)
  expect_identical(names(stays), c("ward", "days", "cost", "urgent", "admitted"))
  expect_identical(dim(stays), c(NA, 5L))
  expect_identical(length(stays), 5L)
  expect_identical(summary(stays)$column, names(stays))
  expect_output(str(stays), "private")
  expect_output(dplyr::glimpse(stays), "private")
  expect_output(dplyr::explain(stays), "private")
})

test_that("columns of all classes that a declaration supports are read", {
  readable <- list(
    integer = list(1L, dp_int(0, 1)), double = list(1, dp_int(0, 1)),
    number = list(1, dp_num(0, 1)),
    wide = list(bit64::as.integer64(1), dp_int(0, 1)), text = list("a", dp_text()),
    factor = list(factor("a"), dp_text()), levels = list("a", dp_levels("a")),
    coded = list(factor("a"), dp_levels("a")), year = list(2020L, dp_levels(2020:2024)),
    flag = list(TRUE, dp_flag()), date = list(Sys.Date(), dp_date()),
    labelled = list(haven::labelled(1, c(yes = 1)), dp_int(0, 1))
  )
  for (name in names(readable)) {
    data <- data.frame(id = 1)
    data$x <- readable[[name]][[1]]
    for (frame in list(data, tibble::as_tibble(data), data.table::as.data.table(data))) {
      table <- dp_tbl(
        dp_session(dp_epsilon(1)), frame, dp_unit(id = id), dp_domain(x = readable[[name]][[2]])
      )
      expect_s3_class(table, "dp_tbl")
    }
  }
})

test_that("columns of other classes raise an error before any value is read", {
  take <- function(x, column) {
    data <- data.frame(id = 1)
    data$x <- x
    dp_tbl(dp_session(dp_epsilon(1)), data, dp_unit(rows = 1), dp_domain(x = column))
  }
  refused <- function(expr) expect_error(expr, "`x`", class = "dp_error_source")
  refused(take("a", dp_int(0, 1)))
  refused(take("a", dp_flag()))
  refused(take(1, dp_text()))
  refused(take(1, dp_levels("a")))
  refused(take(TRUE, dp_text()))
  refused(take(I(1:1), dp_int(0, 1)))
  refused(take(I(factor("a")), dp_levels("a")))
  refused(take(Sys.time(), dp_date()))
  refused(take(Sys.time(), dp_num(0, 1)))
  refused(take(1i, dp_num(0, 1)))
  refused(take(list(1), dp_num(0, 1)))
  refused(take(as.difftime(1, units = "secs"), dp_num(0, 1)))
  expect_error(
    dp_tbl(dp_session(dp_epsilon(1)), data.frame(x = 1, id = 1i), dp_unit(id = id),
      dp_domain(x = dp_int())
    ),
    "`id`",
    class = "dp_error_source"
  )
})

# Columns of two rows, in classes that anybody might have.
columns_of_classes <- function() {
  list(
    logical = c(TRUE, NA), integer = 1:2, double = c(1, 2.5), text = c("a", "b"),
    date = Sys.Date() + 0:1, `days in integers` = structure(1:2, class = "Date"),
    `days in text` = structure(c("a", "b"), class = "Date"), factor = factor(c("a", "b")),
    ordered = factor(c("a", "b"), ordered = TRUE),
    `factor in doubles` = structure(c(1, 2), class = "factor", levels = c("a", "b")),
    `factor without levels` = structure(1:2, class = "factor"),
    `factor of numbers` = structure(1:2, class = "factor", levels = 1:2),
    wide = bit64::as.integer64(1:2), labelled = haven::labelled(c(1, 2), c(yes = 1)),
    time = Sys.time() + 0:1, difference = as.difftime(c(1, 2), units = "secs"),
    complex = c(1i, 2i), list = list(1, 2), bytes = as.raw(1:2), matrix = matrix(1:4, 2),
    frame = data.frame(a = 1:2), odd = structure(1:2, class = "of_somebody")
  )
}

test_that("a column that dp_tbl() takes is read by release(), in each class", {
  local_verbs()
  declared <- list(dp_int(0, 9), dp_num(0, 9), dp_flag(), dp_date(), dp_text(), dp_levels("a"),
    dp_levels(1, 2)
  )
  columns <- columns_of_classes()
  taken <- 0
  for (i in seq_along(columns)) {
    for (declaration in c(declared, list(NULL))) {
      data <- structure(list(id = 1:2, x = columns[[i]]), row.names = 1:2, class = "data.frame")
      session <- dp_session(dp_epsilon(1e14))
      unit <- if (is.null(declaration)) dp_unit(id = x) else dp_unit(rows = 1)
      known <- if (is.null(declaration)) list(id = dp_int(0, 9)) else list(x = declaration)
      table <- tryCatch(
        dp_tbl(session, data, unit, do.call(dp_domain, known)),
        dp_error_source = function(error) NULL
      )
      if (is.null(table)) next
      taken <- taken + 1
      query <- if (is.null(declaration)) {
        summarise(dp_truncate(table, max_rows = 9), n = dp_count())
      } else {
        summarise(table, n = dp_count(), none = dp_n_missing(x))
      }
      info <- paste(names(columns)[[i]], class(declaration$x)[[1]])
      expect_no_error(release(query, epsilon = 1e13), message = info)
    }
  }
  expect_identical(taken, 45) # number of columns that a declaration reads
})

test_that("columns of another length than their data frame are refused before the charge", {
  for (rows in c(1, 3)) {
    data <- structure(list(id = 1:2, x = 1:2), row.names = seq_len(rows), class = "data.frame")
    expect_error(
      dp_tbl(dp_session(dp_epsilon(1)), data, dp_unit(rows = 1), dp_domain(x = dp_int(0, 9))),
      "a different length",
      class = "dp_error_source"
    )
  }
})

test_that("invalid tables and missing columns raise errors", {
  session <- dp_session(dp_epsilon(1))
  domain <- dp_domain(x = dp_int(0, 1))
  expect_error(dp_tbl(session, list(x = 1), dp_unit(rows = 1), domain), class = "dp_error_source")
  expect_error(dp_tbl(session, 1:3, dp_unit(rows = 1), domain), class = "dp_error_source")
  expect_error(
    dp_tbl(session, data.frame(y = 1), dp_unit(rows = 1), domain), "`x`",
    class = "dp_error_domain"
  )
  expect_error(
    dp_tbl(session, data.frame(x = 1), dp_unit(id = who), domain), "`who`",
    class = "dp_error_domain"
  )
  # No message reveals the size of private data.
  expect_error(dp_tbl(session, matrix(1:9), dp_unit(rows = 1), domain), "a matrix or an array[.]$")
  expect_error(dp_tbl(session, 1:3, dp_unit(rows = 1), domain), "an integer vector[.]$")
  expect_error(dp_tbl(session, data.frame(x = 1)), "`unit` and `domain` must be given",
    class = "dp_error_invalid_argument"
  )
  twice <- data.frame(x = 1, x = 2, check.names = FALSE)
  expect_error(dp_tbl(session, twice, dp_unit(rows = 1), domain), class = "dp_error_source")
  data <- data.frame(x = 1)
  expect_error(dp_tbl(1, data, dp_unit(rows = 1), domain), class = "dp_error_invalid_argument")
  expect_error(dp_tbl(session, data, 1, domain), class = "dp_error_invalid_argument")
  expect_error(dp_tbl(session, data, dp_unit(rows = 1), 1), class = "dp_error_invalid_argument")
  expect_error(
    dp_tbl(session, data, dp_unit(rows = 1), domain, version = "2026"),
    class = "dp_error_unsupported"
  )
})

test_that("saved, dumped and printed tables contain no rows", {
  data <- data.frame(id = 1:50, x = rep(74177417L, 50), name = rep("canary-7417", 50))
  table <- dp_tbl(
    dp_session(dp_epsilon(1)), data, dp_unit(id = id),
    dp_domain(x = dp_int(0, 1), name = dp_text())
  )
  shown <- c(
    utils::capture.output(print(unclass(table)), str(unclass(table)), dput(unclass(table))),
    rawToChar(serialize(table, NULL, ascii = TRUE)), deparse(unclass(table))
  )
  expect_false(any(grepl("canary-7417|74177417", shown)))
  copy <- unserialize(serialize(table, NULL))
  expect_error(core_hidden(tbl_data(copy)$rows), class = "dp_error_stale_object")
})

test_that("without dplyr a table says what to install", {
  # A library with all packages except dplyr.
  library <- withr::local_tempdir()
  installed <- unlist(lapply(.libPaths(), list.files, full.names = TRUE))
  installed <- installed[!duplicated(basename(installed)) & basename(installed) != "dplyr"]
  file.symlink(installed, file.path(library, basename(installed)))
  class <- callr::r(function(library) {
    .libPaths(library, include.site = FALSE)
    condition <- tryCatch(
      PSIlence::dp_tbl(
        PSIlence::dp_session(PSIlence::dp_epsilon(1)), NULL, PSIlence::dp_unit(rows = 1),
        PSIlence::dp_domain(x = PSIlence::dp_int())
      ),
      error = identity
    )
    c(class(condition)[[1]], condition$package)
  }, list(library), libpath = library)
  expect_identical(class, c("dp_error_missing_package", "dplyr"))
})

test_that("a grouped data frame keeps its groups", {
  local_verbs()
  data <- data.frame(g = rep(c("a", "b"), c(30, 10)), h = 1L, y = 1)
  domain <- dp_domain(g = dp_levels("a", "b"), h = dp_int(1, 1), y = dp_num(0, 2))
  table <- dp_tbl(plenty(), group_by(data, g), dp_unit(rows = 1), domain)
  expect_identical(dplyr::group_vars(table), "g")
  released <- exact_release(summarise(table, n = dp_count()))
  expect_identical(released$g, c("a", "b"))
  expect_identical(round(released$n), c(30, 10))
  both <- dp_tbl(plenty(), group_by(data, h, g), dp_unit(rows = 1), domain)
  expect_identical(dplyr::group_vars(both), c("h", "g"))
  expect_error(
    dp_tbl(plenty(), group_by(data, g), dp_unit(rows = 1), dp_domain(y = dp_num(0, 2))),
    "grouped by `g`", class = "dp_error_domain"
  )
})

test_that("functions that take data frames raise errors with the private alternative", {
  table <- dp_tbl(
    dp_session(dp_epsilon(1)), data.frame(x = 1:9, g = c("a", "b", "c")), dp_unit(rows = 1),
    dp_domain(x = dp_int(0, 9), g = dp_levels("a", "b", "c"))
  )
  says <- function(code, of, instead) {
    error <- expect_error(code, class = "dp_error_unsupported")
    expect_match(conditionMessage(error), paste0("`", of, "()` is not private"), fixed = TRUE)
    expect_match(conditionMessage(error), instead, fixed = TRUE)
  }
  says(lm(x ~ g, table), "lm", "`dpLM(")
  says(stats::lm(x ~ g, data = table), "lm", "`dpLM(")
  says(stats::glm(x ~ g, data = table), "glm", "`dpGLM(")
  says(stats::t.test(x ~ g, data = table), "t.test", "`dpMeanDifference(")
  says(stats::aggregate(x ~ g, table, mean), "aggregate", "`summarise(m = dp_mean(x))`")
  says(stats::xtabs(~g, table), "xtabs", "`count(g)`")
  says(graphics::boxplot(x ~ g, table), "boxplot", "dp_quantile(")
  error <- expect_error(as.data.frame(table), class = "dp_error_unsupported")
  expect_match(conditionMessage(error), "`as.data.frame()` would show", fixed = TRUE)
})
