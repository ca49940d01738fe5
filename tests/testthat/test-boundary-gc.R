# D-R-6: objects made for R, and objects read from R, are protected from R's collector. Each call
# runs with a collection at every allocation, in a new session, because collections are quick there.

texts <- function() rows_of("String")
latin <- iconv(paste0("caf\u00e9", 1:3), "UTF-8", "latin1")
counts <- c(
  map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
  l01inf_distance(absolute_distance("i32"))
)

# An object, and data that cross the boundary in one direction.
crossings <- list(
  map_out = list(texts() |> then_count_by(), c("b", "a", "b")),
  map_in = list(counts |> then_laplace_threshold(0, 2L), c(a = 5L, b = 1L)),
  hashtab_in = list(counts |> then_laplace_threshold(0, 2L), new_hashtab(c("a", "b"), c(5L, 1L))),
  frame_out = list(make_split_dataframe(",", c("x", "y")), "1,a\n2,\u00e9"),
  frame_in = list(
    make_select_column("f", "String"), data.frame(x = 1:2, f = factor(c("u", "v")), y = c("a", "b"))
  ),
  records_out = list(make_split_lines() |> then_split_records(","), "1,a\n2"),
  records_in = list(make_create_dataframe(c("x", "y")), list(c("1", "a"), "2")),
  text_in = list(texts() |> then_identity(), latin),
  nulls_out = list(texts() |> then_cast("i32"), c("1", "x")),
  integer64_in = list(rows_of("i64") |> then_identity(), bit64::as.integer64(1:3)),
  bits = list(
    c(bitvector_domain(max_weight = 4L, size = 16), discrete_distance()) |>
      then_randomized_response_bitvec(f = 1e-9),
    as.raw(c(1, 2))
  ),
  list_out = list(
    make_composition(rep(list(number_of("i32") |> then_laplace(0)), 3)), 7L
  ),
  user_function = list(
    make_user_transformation(
      texts()[[1]], texts()[[2]], texts()[[1]], texts()[[2]], \(x) paste0(x, "!"), identity
    ),
    c("a", "b")
  ),
  # Rows that the core keeps after the function that made them has ended.
  text_of_function = list(
    make_user_transformation(
      texts()[[1]], texts()[[2]], texts()[[1]], texts()[[2]],
      \(x) latin[seq_along(latin)], identity
    ),
    "a"
  )
)

test_that("D-R-6: results do not change under constant garbage collection", {
  input <- list(crossings = crossings)
  seen <- in_new_session(input, "compiler::enableJIT(0)
    enable_features('honest-but-curious')
    as_read <- function(x) if (inherits(x, 'dp_map')) hashitems(x, 'HashMap<String, i32>') else x
    lapply(input$crossings, function(case) {
      object <- case[[1]]
      data <- case[[2]]
      calm <- PSIlence:::core_invoke(object, data)
      gctorture(TRUE)
      tortured <- PSIlence:::core_invoke(object, data)
      gctorture(FALSE)
      list(calm = as_read(calm), tortured = as_read(tortured))
    })")
  expect_named(seen, names(crossings))
  for (name in names(seen)) {
    expect_identical(seen[[name]]$tortured, seen[[name]]$calm, info = name)
    expect_gt(length(seen[[name]]$calm), 0)
  }
})

test_that("D-R-6: parts, distances and errors are also protected", {
  concentrated <- number_of("f64") |> then_gaussian(2)
  fixed <- make_fix_delta(make_zCDP_to_approxDP(concentrated), 1e-6)
  input <- list(
    fixed = fixed, pure = number_of("i32") |> then_laplace(2),
    frame = make_select_column("x", "i32")
  )
  seen <- in_new_session(input,
    "compiler::enableJIT(0)
    calls <- list(
      map = function() PSIlence:::core_map(input$fixed, 1),
      check = function() PSIlence:::core_check(input$fixed, 1, list(9, 1e-6)),
      part = function() vapply(PSIlence:::core_part(input$fixed, 'function'), typeof, ''),
      described = function() PSIlence:::core_describe(input$fixed('input_domain')),
      built = function() {
        names(PSIlence:::core_build('make_approximate', NULL, list(input$pure)))
      },
      hash = function() {
        domain <- PSIlence::atom_domain(bounds = c(0L, 5L))
        PSIlence:::plan_hash(PSIlence::vector_domain(domain))
      },
      error = function() {
        tryCatch(PSIlence:::core_invoke(input$frame, list(1)), error = conditionMessage)
      }
    )
    lapply(calls, function(call) {
      calm <- call()
      gctorture2(5)
      tortured <- call()
      gctorture(FALSE)
      list(calm = calm, tortured = tortured)
    })")
  for (case in seen) expect_identical(case$tortured, case$calm)
  expect_match(seen$error$calm, "arg must be a data frame.", fixed = TRUE)
})
