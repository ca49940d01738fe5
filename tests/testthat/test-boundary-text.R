# Passes over more than half a million texts are shared among threads, as long as all are ASCII.
withr::defer(set_threads(NULL))

text_sum <- function() {
  rows_of("String") |>
    then_cast_default("i32") |>
    then_clamp(c(0L, 1000L)) |>
    then_lattice_sum()
}

test_that("texts of every length are read to their end, by any number of threads", {
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

test_that("text in other encodings is read as what it says, wherever it stands", {
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

test_that("missing text among many texts is refused", {
  for (threads in c(1, 3)) {
    set_threads(threads)
    data <- rep("1", 600000)
    data[[599999]] <- NA
    expect_error(text_sum()(arg = data), class = "dp_error_failed_function")
  }
})
