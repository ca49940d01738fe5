# Limits on depth and size. Inputs within them work. Inputs beyond them raise a dp_error at once,
# before any work and before a charge.

table_of_numbers <- function(session = plenty()) {
  dp_tbl(session, data.frame(x = 1:10, g = rep(c("a", "b"), 5)), dp_unit(rows = 1),
    dp_domain(x = dp_int(0, 10), g = dp_levels("a", "b"))
  )
}

# `inner` nested in `depth` calls.
nested <- function(depth, wrap, inner = quote(x)) {
  for (i in seq_len(depth)) inner <- wrap(inner)
  inner
}

wraps <- list(
  sum = function(e) call("+", e, 1L), right = function(e) call("+", 1L, e),
  sign = function(e) call("-", e), magnitude = function(e) call("abs", e),
  least = function(e) call("pmin", e, 5L), choice = function(e) call("if_else", TRUE, e, 1L),
  case = function(e) call("case_when", call("~", TRUE, e)),
  bracket = function(e) call("(", e)
)

expect_too_deep <- function(code) {
  error <- expect_error(code, "at most 256 calls within each other")
  expect_s3_class(error, "dp_error")
}

test_that("each reader of code in verbs accepts 256 nested calls and rejects 257", {
  local_verbs()
  table <- table_of_numbers()
  for (name in names(wraps)) {
    # A case counts as two calls.
    most <- if (name == "case") 128 else 256
    wrap <- wraps[[name]]
    query <- mutate(table, z = !!nested(most, wrap)) |>
      summarise(m = dp_sum(z, bounds = c(0, 300)))
    expect_s3_class(dp_preview(query, epsilon = 1), "data.frame")
    expect_no_error(format(query))
    for (depth in c(most + 1, 20000)) {
      deep <- nested(depth, wrap)
      expect_too_deep(mutate(table, z = !!deep))
      expect_too_deep(filter(table, !!deep > 3))
      expect_too_deep(group_by(table, !!deep))
      expect_too_deep(count(table, !!deep))
      expect_too_deep(transmute(table, !!deep))
      expect_too_deep(summarise(table, n = dp_sum(!!deep)))
      expect_too_deep(summarise(table, n = dp_count(), .by = !!deep))
    }
  }
})

test_that("deep expressions are released, hashed and computed correctly", {
  local_verbs()
  session <- plenty()
  query <- table_of_numbers(session) |>
    mutate(z = !!nested(256, wraps$sum)) |>
    summarise(m = dp_sum(z, bounds = c(0, 300)))
  expect_equal(release(query, epsilon = 1e7)$m, sum(1:10 + 256), tolerance = 1e-3)
  expect_identical(hash_of_query(query, dp_epsilon(1), 0.05),
    hash_of_query(query, dp_epsilon(1), 0.05))
})

test_that("arithmetic of aggregates is limited too, even if names hide its depth", {
  local_verbs()
  table <- table_of_numbers()
  add <- wraps$sum
  # An expectation would inline the value after `!!` into its own code.
  query <- summarise(table, n = !!nested(255, add, quote(dp_count())))
  expect_length(format(query), 3)
  deep <- nested(256, add, quote(dp_count()))
  expect_too_deep(summarise(table, n = !!deep))
  steps <- lapply(1:257, function(i) call("+", as.name(paste0("a", i - 1)), 1L))
  names(steps) <- paste0("a", 1:257)
  query <- summarise(table, a0 = dp_count(), !!!steps[1:256])
  expect_length(query$outputs, 257)
  expect_too_deep(summarise(table, a0 = dp_count(), !!!steps))
})

test_that("formulas accept 256 nested calls and reject more", {
  model <- function(expr) {
    formula <- as.formula(call("~", quote(y), call("I", expr)))
    dpLM(formula, n = 200, rng = list(y = c(0, 1), x = c(-2, 1)), epsilon = 1)
  }
  # `~` and `I()` count as two of them.
  expect_s3_class(model(nested(254, wraps$sum)), "dpLM")
  for (depth in c(255, 400)) {
    deep <- nested(depth, wraps$sum)
    formula <- structure(call("~", quote(y), call("I", deep)), class = "formula",
      .Environment = globalenv())
    expect_refused(
      dpLM(formula, n = 200, rng = list(y = c(0, 1), x = c(-2, 1)), epsilon = 1), "formula"
    )
  }
  formula[[3]] <- nested(20000, wraps$sum)
  expect_error(dpLM(formula, n = 200, rng = list(y = c(0, 1), x = c(-2, 1)), epsilon = 1),
    "nested too deeply", class = "dp_error"
  )
})

test_that("code with endlessly shared parts raises an error at once", {
  expect_false(is_readable_code(nested(200, function(e) call("+", e, e))))
  expect_true(is_readable_code(as.call(c(as.name("c"), as.list(1:65534)))))
  expect_false(is_readable_code(as.call(c(as.name("c"), as.list(1:65535)))))
})

test_that("the core has its own check for deep expressions and lists", {
  column <- list(op = "column", name = "x")
  deep <- nested(257, function(e) list(op = "abs", args = list(e)), column)
  form <- form_of_query(dplyr::summarise(table_of_numbers(), n = dp_sum(x)))
  form$steps <- list(list(step = "mutate", name = "z", value = deep))
  expect_error(core_query_fields(form), "256 calls", class = "dp_error_unsupported")
  form$steps[[1]]$value <- deep$args[[1]]
  expect_no_error(core_query_fields(form))
  form$steps[[1]]$value <- nested(20000, function(e) list(op = "abs", args = list(e)), column)
  expect_error(core_query_fields(form), "256 calls", class = "dp_error_unsupported")
  lists <- function(depth) {
    core_node_digest(list(statistic = "form", args = list(form = nested(depth, list, 1))))
  }
  expect_no_error(lists(limit("nested_lists")))
  expect_error(lists(limit("nested_lists") + 1), "lists within each other", class = "dp_error")
  expect_error(lists(20000), "lists within each other", class = "dp_error")
})

test_that("nested parts are read without recursion, in their order", {
  sizes <- from_nested(nested(1e4, list, 1), function(x) {
    if (is.list(x)) list(parts = x, close = function(values) 1 + values[[1]]) else list(value = 0)
  })
  expect_identical(sizes, 1e4)
  back <- function(x) {
    from_nested(x, function(x) {
      if (is.list(x)) list(parts = x, close = identity) else list(value = x)
    })
  }
  for (x in list(list(), 1, NULL, list(NULL, 1, list(2, list(NULL), list()), 3))) {
    expect_identical(back(x), x)
  }
})

test_that("the memory for nested parts grows with their number, not with its square", {
  skip_on_cran()
  expect_true(capabilities("profmem"))
  # Bytes in vectors of more than 1000 bytes, which R allocates for `n` objects with one part each.
  bytes <- function(n) {
    file <- withr::local_tempfile()
    objects <- rep(list(list(1)), n)
    copied <- function() {
      from_nested(objects, function(x) {
        if (is.list(x)) list(parts = x, close = identity) else list(value = x)
      })
    }
    utils::Rprofmem(file, threshold = 1000)
    copy <- tryCatch(copied(), finally = utils::Rprofmem(NULL))
    expect_identical(copy, objects)
    allocated <- sub("^([0-9]+) :.*", "\\1", grep("^[0-9]+ :", readLines(file), value = TRUE))
    sum(as.double(allocated))
  }
  bytes(10)
  # Four times the objects would take 16 times the memory if each copied a list of all values.
  expect_lt(bytes(8000), 8 * bytes(2000))
})

test_that("histograms with too many breaks, levels or cells are rejected before they are read", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  table <- table_of_numbers(session)
  many <- seq(0, 10, length.out = 1e6 + 1)
  expect_refused(summarise(table, h = dp_histogram(x, breaks = many)), "breaks")
  expect_refused(summarise(table, h = dp_quantile(x, at = many)), "at")
  expect_refused(dp_levels(seq_len(1e6 + 1)), "...")
  expect_error(mutate(table, z = cut(x, !!many)), "at most 1e+06 breaks", fixed = TRUE,
    class = "dp_error_unsupported"
  )
  expect_identical(dp_spent(session)[["epsilon"]], 0)
})

test_that("previews of more numbers than memory holds raise an error", {
  local_verbs()
  groups <- paste0("g", 1:2000)
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1),
    dp_domain(x = dp_num(0, 1), g = dp_levels(groups))
  )
  query <- function(breaks) {
    group_by(table, g) |> summarise(h = dp_histogram(x, breaks = seq(0, 1, length.out = breaks)))
  }
  expect_error(dp_preview(query(20000), epsilon = 1), "67108864 numbers",
    class = "dp_error_unsupported"
  )
  expect_s3_class(dp_preview(query(100), epsilon = 1), "data.frame")
})

test_that("trees of more leaves than memory holds raise an error, from code and from JSON", {
  space <- c(vector_domain(atom_domain(.T = "i64")), l1_distance(.T = "i64"))
  tree <- function(leaves) space |> then_b_ary_tree(leaf_count = leaves, branching_factor = 2L)
  expect_error(tree(2^31 - 1), "at most 67108864 leaves", class = "dp_error_make_transformation")
  text <- to_json(tree(1234L))
  expect_error(from_json(sub("1234", "2147483647", text)), "at most 67108864 leaves",
    class = "dp_error_make_transformation"
  )
})

test_that("public values beyond the limit are rejected before they are read", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  table <- table_of_numbers(session)
  # R would need 8 GB to read them.
  far <- 1:1e9
  too_many <- function(code) {
    expect_error(code, "at most 1e+06 values", fixed = TRUE, class = "dp_error_unsupported")
  }
  too_many(filter(table, x %in% far))
  too_many(filter(table, x %in% !!seq_len(1e6 + 1)))
  too_many(filter(table, x %in% 1:1e9))
  too_many(filter(table, x %in% 0.5:1e9))
  too_many(filter(table, x %in% seq(0, 1e9, by = 0.01)))
  too_many(filter(table, x %in% seq(0, 1, length.out = 1e9)))
  too_many(filter(table, x %in% c(far, 3)))
  too_many(filter(table, x %in% (far + 1)))
  too_many(mutate(table, z = cut(x, 0:1e9)))
  rows <- list2DF(list(x = far))
  too_many(semi_join(table, rows, by = "x"))
  too_many(anti_join(table, rows, by = "x"))
  too_many(inner_join(table, rows, by = "x"))
  too_many(left_join(table, rows, by = "x"))
  # Columns count together. Columns that a join does not use do not count.
  wide <- list2DF(list(x = 1:6e5, w = 1:6e5))
  too_many(left_join(table, wide, by = "x"))
  too_many(dp_keys(count(table, x), rows))
  expect_refused(dp_levels(far), "...")
  expect_identical(dp_spent(session)[["epsilon"]], 0)
  wide <- dp_tbl(session, data.frame(x = 1:10), dp_unit(rows = 1), dp_domain(x = dp_int(0, 1000)))
  expect_s3_class(filter(wide, x %in% 1:1000), "dp_tbl")
  expect_s3_class(filter(table, x %in% seq(0, 10, by = 2)), "dp_tbl")
  expect_s3_class(filter(table, x %in% seq(0, 10, length.out = 3)), "dp_tbl")
})

test_that("the core rejects public values beyond the limit", {
  local_verbs()
  form <- form_of_query(dplyr::summarise(table_of_numbers(), n = dp_sum(x)))
  column <- list(op = "column", name = "x")
  one <- list(op = "literal", value = 1)
  form$steps <- list(list(step = "filter",
    predicate = list(op = "%in%", args = c(list(column), rep(list(one), 1e6 + 1)))))
  expect_error(core_query_fields(form), "1000000 values", class = "dp_error_unsupported")
  table <- list(columns = list(list(name = "x", type = "integer", values = 1:1e9)))
  form$steps <- list(list(step = "join", how = "semi", private = "x", public = "x", table = table))
  expect_error(core_query_fields(form), "1000000 values", class = "dp_error_unsupported")
})

doubled <- function(times) {
  c(list(n0 = quote(dp_count())), setNames(
    lapply(seq_len(times), function(i) {
      call("+", as.name(paste0("n", i - 1)), as.name(paste0("n", i - 1)))
    }), paste0("n", seq_len(times))
  ))
}

test_that("derived columns count as often as they are written out", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  table <- table_of_numbers(session)
  # n_i has 2^i - 1 calls.
  expect_length(summarise(table, !!!doubled(10))$outputs, 11)
  for (times in c(16, 64, 2000)) {
    columns <- doubled(times)
    expect_error(summarise(table, !!!columns), "at most 65536 calls",
      class = "dp_error_unsupported"
    )
    expect_error(summarise(group_by(table, g), !!!columns), "at most 65536 calls",
      class = "dp_error_unsupported"
    )
  }
  expect_identical(dp_spent(session)[["epsilon"]], 0)
  # The core counts them too.
  form <- form_of_query(summarise(table, n0 = dp_count()))
  value <- form$outputs[[1]]$value
  for (i in 1:64) value <- list(op = "+", args = list(value, value))
  form$outputs <- list(list(name = "n", value = value))
  expect_error(core_query_fields(form), "at most 65536 calls", class = "dp_error_unsupported")
  value <- form$outputs[[1]]$value$args[[1]]
  for (i in 1:50) value <- value$args[[1]]
  form$outputs <- list(list(name = "n", value = value))
  expect_no_error(core_query_fields(form))
  form$outputs <- lapply(1:9, function(i) list(name = paste0("n", i), value = value))
  expect_error(core_query_fields(form), "at most 65536 calls", class = "dp_error_unsupported")
})

test_that("an expression that a reader repeats counts each time", {
  local_verbs()
  table <- dp_tbl(plenty(), data.frame(x = 1:10, d = as.Date("2026-01-01") + 1:10),
    dp_unit(rows = 1),
    dp_domain(x = dp_int(0, 10), d = dp_date("2026-01-01", "2026-02-01"))
  )
  choice <- function(e) as.call(list(as.name("case_match"), e, quote(1L ~ 2L), quote(2L ~ 1L)))
  expect_s3_class(mutate(table, k = !!nested(8, choice, quote(x))), "dp_tbl")
  deep <- nested(60, choice, quote(x))
  expect_error(mutate(table, k = !!deep), "65536 parts", class = "dp_error_unsupported")
})

test_that("formulas with too many terms are rejected before they are written out", {
  names <- paste0("a", 1:20)
  rng <- setNames(rep(list(c(0, 1)), 21), c("y", names))
  sum <- paste(names, collapse = " + ")
  long <- c(
    paste0("y ~ (", sum, ")^4"), paste0("y ~ (", sum, ")^20"), "y ~ (a1 + a2)^1e9",
    paste("y ~", paste(names, collapse = " * ")),
    paste0("y ~ ", paste0("(", c(sum, sum, sum), ")", collapse = ":")),
    paste0("y ~ a1 - (", sum, ")^9"), paste0("y ~ a1 / (", sum, ")^9"),
    paste0("y ~ ((", sum, ")^2)^3"), paste0("y ~ a1 %in% (", sum, ")^9")
  )
  for (text in long) {
    for (formula in list(text, as.formula(text))) {
      expect_error(dpLM(formula, n = 1e6, rng = rng, epsilon = 1), "at most 1024 terms",
        class = "dp_error_invalid_argument"
      )
    }
    expect_error(
      dpGLM(formula = text, objective = "logit", n = 1e6, rng = rng, epsilon = 1),
      "at most 1024 terms", class = "dp_error_invalid_argument"
    )
    expect_error(
      dpCovariance(columns = c("y", names), n = 1e6, rng = rng, epsilon = 1, formula = text),
      "at most 1024 terms", class = "dp_error_invalid_argument"
    )
  }
  data <- as.data.frame(rng)
  expect_error(extractIndices(y ~ (.)^20, data), "at most 1024 terms",
    class = "dp_error_invalid_argument"
  )
  # Factor columns multiply the number.
  expect_error(
    dpLM(y ~ a1:a2, n = 1e6, rng = rng["y"], epsilon = 1, levels = list(a1 = 1:1e5, a2 = 1:1e5)),
    "at most 1024 columns", class = "dp_error_invalid_argument"
  )
})

test_that("no formula has more terms than its counted size", {
  formulas <- list(
    y ~ a, y ~ a + b, y ~ a * b * c, y ~ (a + b + c)^2, y ~ (a + b + c)^7, y ~ ((a + b)^2)^2,
    y ~ a / b, y ~ (a + b) / (c + d), y ~ (a + b):(c + d), y ~ (a * b)^2 - a, y ~ a + a + a,
    y ~ a %in% b, y ~ (a + b) %in% (c + d), y ~ I(a^2) * log(b), y ~ (a + b:c + d)^3,
    y ~ (a + b) * (c + d) * e, y ~ a - 1, y ~ 0 + a, y ~ a + offset(b)
  )
  for (formula in formulas) {
    terms <- length(attr(stats::terms(formula), "term.labels"))
    expect_lte(terms, size_of_formula(formula[[3]], 1)[["terms"]])
  }
  # Without repeated terms, the counted size equals their number.
  exact <- list(y ~ a * b * c, y ~ (a + b + c)^2, y ~ (a + b):(c + d), y ~ (a + b) * (c + d) * e)
  for (formula in exact) {
    terms <- length(attr(stats::terms(formula), "term.labels"))
    expect_identical(size_of_formula(formula[[3]], 1)[["terms"]], as.double(terms))
  }
})
