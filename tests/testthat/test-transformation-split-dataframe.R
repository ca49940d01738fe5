test_that("text becomes a frame as published", {
  frame <- make_split_dataframe(NULL, c("A", "B"))
  expect_identical(
    frame(arg = "1, 1.0\n2, 2.0\n3, 3.0"),
    data.frame(A = c("1", "2", "3"), B = c("1.0", "2.0", "3.0"))
  )
  expect_identical(frame(d_in = 3L), 3)
})

test_that("the published chains of frame steps give the published results", {
  text <- "0,0.\n1,1.\n2,2.\n3,3."
  cast <- make_split_dataframe(",", c("23", "17")) |>
    then_df_cast_default("23", .TIA = "String", .TOA = "i32") |>
    then_df_cast_default("23", .TIA = "i32", .TOA = "bool") |>
    then_select_column("23", .TOA = "bool")
  expect_identical(cast(arg = text), c(FALSE, TRUE, TRUE, TRUE))
  equal <- make_split_dataframe(",", c("23", "17")) |>
    then_df_is_equal("17", "2.") |>
    then_select_column("17", .TOA = "bool")
  expect_identical(equal(arg = text), c(FALSE, FALSE, TRUE, FALSE))
  kept <- make_split_dataframe(",", c("A", "B")) |>
    then_df_is_equal("B", "2.") |>
    then_subset_by("B", "A") |>
    then_select_column("A", .TOA = "String")
  expect_identical(kept(arg = text), "2")
})

test_that("D-DOM-3: a malformed row changes no other row", {
  ages <- make_split_dataframe(",", c("name", "age")) |>
    then_select_column("age", .TOA = "String") |>
    then_cast_default("f64") |>
    then_impute_constant(-1)
  clean <- c("ann,30", "bob,41", "carol,52")
  malformed <- c("", ",", "x", "a,b,c,d", ",,,,", "dora,1e999", "eve,NaN", "fay,-inf", " , 7 ")
  for (odd in malformed) {
    withr::local_options(warn = 2)
    rows <- ages(arg = paste(append(clean, odd, 1), collapse = "\n"))
    expect_length(rows, 4)
    expect_identical(rows[-2], c(30, 41, 52))
    expect_false(is.nan(rows[[2]]))
  }
})

test_that("a mismatch in a chain prints both domains", {
  error <- condition_of(make_split_lines() |> then_select_column("a", .TOA = "String"))
  expect_s3_class(error, "dp_error_domain_mismatch")
  expect_match(conditionMessage(error), "VectorDomain(AtomDomain(T=String))", fixed = TRUE)
  expect_match(conditionMessage(error), 'DataFrameDomain("String")', fixed = TRUE)
  named <- condition_of(make_split_dataframe(",", 1:2) |> then_select_column("a", .TOA = "String"))
  expect_s3_class(named, "dp_error_domain_mismatch")
  expect_match(conditionMessage(named), 'DataFrameDomain("i32")', fixed = TRUE)
  expect_error(
    c(atom_domain(.T = "i32"), symmetric_distance()) |> then_split_dataframe(",", "a"),
    class = "dp_error_domain_mismatch"
  )
})
