counts_of <- rows_of("String") |> then_count_by()

test_that("a released map has sorted keys with their values", {
  counts <- counts_of(arg = c("b", "a", "caf\u00e9", "b", "B"))
  expect_s3_class(counts, "dp_map")
  expect_length(counts, 4)
  expect_identical(names(counts), c("B", "a", "b", "caf\u00e9"))
  expect_identical(counts[["b"]], 2L)
  expect_identical(counts$a, 1L)
  for (absent in list("c", 1L, NULL, NA_character_, c("a", "b"), list("a"), TRUE)) {
    expect_null(counts[[absent]])
  }
  expect_identical(
    as.data.frame(counts), data.frame(key = names(counts), value = c(1L, 1L, 2L, 1L))
  )
  expect_identical(as.list(counts)[2:3], list(a = 1L, b = 2L))
  numbers <- (rows_of("i32") |> then_count_by())(arg = c(10L, -3L, 10L))
  expect_identical(numbers[[10]], 2L)
  expect_null(numbers[["10"]])
  none <- counts_of(arg = character())
  expect_length(none, 0)
  expect_identical(dim(as.data.frame(none)), c(0L, 2L))
})

test_that("a released map is data, has a type, and prints", {
  counts <- counts_of(arg = c("b", "a", "b"))
  noisy <- make_laplace_threshold(
    counts_of("output_domain"), counts_of("output_metric"), scale = 0, threshold = 2L
  )
  expect_identical(as.data.frame(noisy(arg = counts)), data.frame(key = "b", value = 2L))
  expect_identical(noisy(arg = noisy(arg = counts)), noisy(arg = counts))
  expect_true(counts_of("output_domain")(member = counts))
  expect_identical(format(rt_infer(counts)), "HashMap<String, i32>")
  expect_identical(hashitems(counts, "HashMap<String, i32>"), list(c("a", "b"), 1:2))
  expect_identical(to_str(counts), "dp_map(\n  \"a\" = 1L,\n  \"b\" = 2L\n)")
  expect_identical(format(counts), c("a = 1", "b = 2"))
  expect_output(print(counts), "a = 1\nb = 2")
  expect_output(print(counts_of(arg = character())), "a map without entries")
})

test_that("D_CTL_1 serialized maps are equal, whatever the row order and history", {
  # Strings that R already holds, at unknown addresses, and new ones.
  keys <- sprintf("customer %04d", sample.int(5000))
  data <- c(keys, keys)
  bytes <- function(data) serialize(counts_of(arg = data), NULL)
  first <- bytes(data)
  expect_identical(bytes(rev(data)), first)
  expect_identical(bytes(sample(data)), first)
  invisible(gc())
  kept <- lapply(seq_len(1000), function(i) paste("in between", i))
  expect_identical(bytes(factor(data, sample(keys))), first)
  expect_length(kept, 1000)
  # A hash table of the same entries reveals insertion order, so the test can fail.
  frame <- as.data.frame(counts_of(arg = data))
  tables <- lapply(list(seq_along(frame$key), rev(seq_along(frame$key))), function(order) {
    serialize(new_hashtab(frame$key[order], frame$value[order]), NULL)
  })
  expect_false(identical(tables[[1]], tables[[2]]))
})
