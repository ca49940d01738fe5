# More than half a million strings are shared among threads if all are ASCII.
withr::defer(set_threads(NULL))

text_sum <- function() {
  rows_of("String") |>
    then_cast_default("i32") |>
    then_clamp(c(0L, 1000L)) |>
    then_lattice_sum()
}

test_that("texts of every length are read completely, by any number of threads", {
  texts <- c(strrep("x", 0:33), paste0(strrep("x", 0:33), "y"))
  for (threads in c(1, 3)) {
    set_threads(threads)
    for (copies in c(1, 9000)) {
      data <- rep(texts, copies)
      for (text in texts[c(1, 2, 8, 9, 10, 17, 33, 34, 41, 42, 68)]) {
        is_it <- rows_of("String") |>
          then_is_equal(text) |>
          then_count_by_categories(TRUE, null_category = FALSE)
        expect_identical(is_it(arg = data), as.integer(copies))
      }
    }
  }
})

test_that("text in other encodings is decoded, at any position", {
  numbers <- as.character(rep(1:3, 200000))
  for (threads in c(1, 3)) {
    set_threads(threads)
    plain <- text_sum()(arg = numbers)
    expect_identical(as.numeric(plain), 1200000)
    for (at in c(1, 300000, 600000)) {
      for (other in c("caf\u00e9", iconv("12345678\u00e9", "UTF-8", "latin1"), "\u00e9")) {
        data <- numbers
        data[[at]] <- other
        expect_identical(as.numeric(text_sum()(arg = data)), 1200000 - as.numeric(numbers[[at]]))
        is_it <- rows_of("String") |>
          then_is_equal(enc2utf8(other)) |>
          then_count_by_categories(TRUE, null_category = FALSE)
        expect_identical(is_it(arg = data), 1L)
      }
    }
  }
})

test_that("a missing text among many raises an error", {
  for (threads in c(1, 3)) {
    set_threads(threads)
    data <- rep("1", 600000)
    data[[599999]] <- NA
    expect_error(text_sum()(arg = data), class = "dp_error_failed_function")
  }
})

# One string in all encodings and markings that R may use.
unmarked <- function(...) rawToChar(as.raw(c(...)))
marked <- function(text, as) {
  Encoding(text) <- as
  text
}
cafe <- list(
  utf8 = "caf\u00e9", unmarked = unmarked(0x63, 0x61, 0x66, 0xc3, 0xa9),
  latin1 = marked("caf\xe9", "latin1")
)
# Invalid strings. Only the first two are marked.
silent <- list(
  bytes = marked("caf\xe9", "bytes"), wrong_mark = marked("caf\xe9", "UTF-8"),
  latin_unmarked = unmarked(0x63, 0x61, 0x66, 0xe9), cut_short = unmarked(0x61, 0xe4, 0xb8),
  surrogate = unmarked(0xed, 0xa0, 0x80), too_long = unmarked(0xc1, 0xa1),
  utf8_bytes = marked(cafe$unmarked, "bytes")
)
optional_text <- c(vector_domain(option_domain(atom_domain(.T = "String"))), symmetric_distance())

test_that("a text is one key, however R marks it", {
  count <- rows_of("String") |> then_count_by()
  data <- unlist(cafe[c(1, 2, 3, 2, 1)])
  expect_identical(as.data.frame(count(arg = data)), data.frame(key = cafe$utf8, value = 5L))
  expect_identical(core_texts(data), rep(cafe$utf8, 5))
  for (text in cafe) {
    same <- rows_of("String") |> then_is_equal(text)
    expect_identical(same(arg = data), rep(TRUE, 5))
    frame <- stats::setNames(data.frame(a = 1:2, b = 1:2), c(text, "b"))
    expect_identical(make_select_column(cafe$utf8, .TOA = "i32")(arg = frame), 1:2)
    lines <- make_split_lines()
    expect_identical(lines(arg = paste0(text, "\n")), cafe$utf8)
  }
})

test_that("invalid text is missing, marked or not", {
  nulls <- optional_text |> then_is_null()
  count <- rows_of("String") |> then_count_by()
  for (text in silent) {
    expect_identical(nulls(arg = c("a", text)), c(FALSE, TRUE))
    expect_identical(core_texts(c("a", text)), c("a", NA))
    expect_identical(core_texts(factor(1:2, labels = c("a", "b")) |> `levels<-`(c(text, "b"))),
      c(NA, "b")
    )
    for (object in list(count, make_split_lines())) {
      error <- condition_of(object(arg = text))
      expect_s3_class(error, "dp_error_failed_function")
      expect_identical(
        conditionMessage(error), "[FailedFunction] : arg must be a member of the input domain."
      )
    }
    # The error for a public constant gives the reason.
    expect_error(rows_of("String") |> then_is_equal(text), "UTF-8", class = "dp_error_failed_cast")
  }
})

test_that("D-DOM-3: one row without text does not decide whether there is a release", {
  histogram <- sharp_counts(4, c("a", "NA"))
  for (text in silent) {
    for (column in list(c("a", "a", text, "a"), factor(c(1, 1, 2, 1), labels = c("a", "b")))) {
      if (is.factor(column)) levels(column) <- c("a", text)
      counts <- histogram$release(data.frame(x = column))$counts
      expect_equal(as.vector(unlist(counts)), c(3, 1), tolerance = 1e-3)
    }
  }
})

test_that("a locale changes nothing", {
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(
    "suppressMessages(library(PSIlence)); enable_features('contrib', 'honest-but-curious')",
    "texts <- c(rawToChar(as.raw(c(0x63, 0xc3, 0xa9))), rawToChar(as.raw(c(0x63, 0xe9))), 'c')",
    "read <- PSIlence:::core_texts(texts)",
    "cat(Sys.getlocale('LC_CTYPE'), is.na(read), unlist(lapply(read[c(1, 3)], charToRaw)))"
  ), script)
  shown <- lapply(c("C", "C.UTF-8"), function(locale) {
    withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
    withr::local_envvar(LC_ALL = locale)
    rscript <- file.path(R.home("bin"), "Rscript")
    strsplit(system2(rscript, c("--vanilla", script), stdout = TRUE), " ")[[1]]
  })
  expect_identical(vapply(shown, `[[`, "", 1), c("C", "C.UTF-8"))
  read <- c("FALSE", "TRUE", "FALSE", "63", "c3", "a9", "63")
  for (output in shown) expect_identical(output[-1], read)
})
