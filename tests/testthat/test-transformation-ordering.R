test_that("a random order is drawn uniformly from all orders", {
  shuffle <- rows_of("i32") |> then_ordered_random()
  orders <- replicate(1200, paste(shuffle(arg = 1:3), collapse = ""))
  counts <- table(orders)
  expect_length(counts, 6)
  expect_true(can_occur(counts, 1200, 1 / 6))
})

test_that("all rows stay, of any type", {
  expect_identical(sort((rows_of("i32") |> then_ordered_random())(arg = 1:5000)), 1:5000)
  words <- rows_of("String") |> then_ordered_random()
  expect_setequal(words(arg = letters), letters)
})

test_that("metrics change to their ordered or unordered form", {
  shown <- function(object) vapply(c("input_metric", "output_metric"), \(m) toString(object(m)), "")
  metrics <- c(
    "SymmetricDistance()", "InsertDeleteDistance()", "ChangeOneDistance()", "HammingDistance()"
  )
  expect_identical(unname(shown(rows_of("i32") |> then_ordered_random())), metrics[1:2])
  sized <- rows_of("i32", change_one_distance(), size = 3)
  expect_identical(unname(shown(sized |> then_ordered_random())), metrics[3:4])
  back <- rows_of("i32", insert_delete_distance()) |> then_unordered()
  expect_identical(unname(shown(back)), metrics[2:1])
  expect_identical(back(arg = 3:1), 3:1)
})

test_that("a metric that is already in the target form raises an error", {
  expect_error(rows_of("i32", insert_delete_distance()) |> then_ordered_random(),
    class = "dp_error_type"
  )
  expect_error(rows_of("i32") |> then_unordered(), class = "dp_error_type")
})
