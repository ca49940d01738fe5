test_that("metrics print and name their types as published", {
  rows <- list(
    list(symmetric_distance(), "SymmetricDistance()", "SymmetricDistance", "u32"),
    list(insert_delete_distance(), "InsertDeleteDistance()", "InsertDeleteDistance", "u32"),
    list(change_one_distance(), "ChangeOneDistance()", "ChangeOneDistance", "u32"),
    list(hamming_distance(), "HammingDistance()", "HammingDistance", "u32"),
    list(absolute_distance(f64), "AbsoluteDistance(f64)", "AbsoluteDistance<f64>", "f64"),
    list(l1_distance("int"), "L1Distance(i32)", "L1Distance<i32>", "i32"),
    list(l2_distance("f32"), "L2Distance(f32)", "L2Distance<f32>", "f32"),
    list(linf_distance("f64"), "LInfDistance(T=f64)", "LInfDistance<f64>", "f64"),
    list(
      linf_distance("f64", monotonic = TRUE), "LInfDistance(monotonic, T=f64)", "LInfDistance<f64>",
      "f64"
    ),
    list(discrete_distance(), "DiscreteDistance()", "DiscreteDistance", "u32"),
    list(
      l01inf_distance(absolute_distance(i32)), "L01InfDistance(AbsoluteDistance(i32))",
      "L01InfDistance<AbsoluteDistance<i32>>", "(u32, i32, i32)"
    ),
    list(
      l01inf_distance(symmetric_distance()), "L01InfDistance(SymmetricDistance())",
      "L01InfDistance<SymmetricDistance>", "(u32, u32, u32)"
    ),
    list(
      l02inf_distance(absolute_distance(i32)), "L02InfDistance(AbsoluteDistance(i32))",
      "L02InfDistance<AbsoluteDistance<i32>>", "(u32, i32, i32)"
    ),
    list(user_distance("Name"), "Name", "ExtrinsicDistance", "ExtrinsicObject")
  )
  for (row in rows) {
    metric <- row[[1]]
    expect_identical(
      list(metric("debug"), metric("type"), metric("distance_type")), row[-1]
    )
    expect_identical(metric_debug(metric), row[[2]])
    expect_identical(metric_type(metric), row[[3]])
    expect_identical(metric_distance_type(metric), row[[4]])
    expect_identical(metric$distance_type, row[[4]])
    expect_identical(toString(metric), row[[2]])
    expect_identical(format(metric), row[[2]])
    expect_output(print(metric), row[[2]], fixed = TRUE)
  }
})

test_that("a distance is a number", {
  expect_error(absolute_distance("String"), class = "dp_error_type")
  expect_error(l1_distance("bool"), class = "dp_error_type")
  expect_error(l1_distance("nothing"), class = "dp_error_type_parse")
  expect_error(linf_distance("f64", monotonic = NA), class = "dp_error_invalid_argument")
  expect_error(l01inf_distance("f64"), class = "dp_error_invalid_argument")
})

test_that("a metric returns a part by name", {
  expect_error(symmetric_distance()(), "argument \"attr\" is missing")
  expect_error(symmetric_distance()("nothing"), "unrecognized attribute",
    class = "dp_error_invalid_argument"
  )
  expect_error(symmetric_distance()$nothing, class = "dp_error_invalid_argument")
  expect_identical(user_distance("Name", descriptor = 1:3)("descriptor"), 1:3)
})

test_that("user distances are gated", {
  withr::local_options(opendp_features = "contrib")
  expect_error(user_distance("x"), class = "dp_error_missing_feature")
})
