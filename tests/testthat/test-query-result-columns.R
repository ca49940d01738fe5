# Intervals and marks of a released table whose columns were renamed or replaced.

# A quantile at a bound, cells and a count for each group.
release_to_rename <- function() {
  local_verbs()
  rows <- data.frame(x = rep(c(0, 90), each = 500), region = c("A", "B"))
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1),
    dp_domain(x = dp_num(0, 60), region = dp_levels("A", "B"))
  )
  query <- summarise(group_by(table, region), n = dp_count(), q = dp_quantile(x, c(0.1, 0.2, 0.9)),
    h = dp_histogram(x, c(0, 30, 60))
  )
  release(query, epsilon = 1e5)
}

numbers_of <- function(x) {
  tidy <- generics::tidy(x)
  tidy[c("estimate", "std.error", "conf.low", "conf.high", "mark")]
}

test_that("intervals and marks follow columns that rename() or names<- renames", {
  out <- release_to_rename()
  by_names <- out
  names(by_names) <- c("place", "k", "share", "cells")
  renamed <- list(
    dplyr::rename(out, place = region, k = n, share = q, cells = h), by_names,
    dplyr::rename_with(out, function(old) c("place", "k", "share", "cells"))
  )
  for (new in renamed) {
    expect_s3_class(new, "dp_released")
    expect_named(new, c("place", "k", "share", "cells"))
    expect_identical(numbers_of(new), numbers_of(out))
    terms <- generics::tidy(new)$term
    old <- generics::tidy(out)$term
    expect_identical(terms, sub("^h", "cells", sub("^q", "share", sub("^n", "k", old))))
    lines <- format(new)
    expect_match(lines, "^  A .*59[.]9[0-9]+ \\[[0-9.]+; 60[.]000\\] \\^$", all = FALSE)
    expect_match(lines, "`n` was renamed to `k`", fixed = TRUE, all = FALSE)
    published <- as.data.frame(dp_publish(new, what = "k"))
    expect_match(published$k, "^[0-9]+ \\[[0-9]+; [0-9]+\\]$")
    expect_no_error(dp_publish(new, what = "cells"))
    old <- row.names(confint(out, "n"))
    expect_identical(row.names(confint(new, "k")), sub("^n, region", "k, place", old))
  }
})

test_that("swapped names swap the intervals", {
  local_verbs()
  rows <- data.frame(x = rep(c(0, 60), 50))
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(x = dp_num(0, 60)))
  out <- release(summarise(table, a = dp_count(), b = dp_sum(x)), epsilon = 1e5)
  new <- dplyr::rename(out, b = a, a = b)
  expect_identical(generics::tidy(new)$term, c("b", "a"))
  expect_identical(numbers_of(new), numbers_of(out))
  expect_identical(dplyr::rename(out), out)
})

test_that("a replaced column leaves a plain table without a footer", {
  out <- release_to_rename()
  by_dollar <- by_name <- by_bracket <- out
  by_dollar$n <- 1:2
  by_name[["n"]] <- 1:2
  by_bracket[1, "n"] <- 1
  for (plain in list(by_dollar, by_name, by_bracket)) {
    expect_false(inherits(plain, "dp_released"))
    expect_null(attr(plain, "released"))
    expect_error(dp_publish(plain), class = "dp_error_invalid_argument")
  }
})

test_that("names that are not distinct leave a plain table", {
  frame <- release_to_rename()
  suppressWarnings(names(frame) <- rep("a", 4))
  expect_false(inherits(frame, "dp_released"))
})
