written_examples <- function() {
  objects <- built_examples()
  objects <- objects[!names(objects) %in% has_function]
  c(objects, part_examples(objects))
}

expect_refused_text <- function(text) {
  expect_error(from_json(!!text), class = "dp_error_serialization")
}

# Examples of deprecated constructors are read too.
read_json <- function(text) {
  suppressWarnings(from_json(text), classes = c("deprecatedWarning", "dp_warning_noise"))
}

test_that("every object is read back as it was written", {
  objects <- written_examples()
  for (name in names(objects)) {
    text <- to_json(objects[[name]])
    again <- read_json(text)
    expect_identical(public_face(again), public_face(objects[[name]]), info = name)
    expect_identical(to_json(again), text, info = name)
    expect_identical(to_json(read_json(to_json(again, pretty = TRUE))), text, info = name)
    expect_identical(to_json(saved_and_loaded(again)), text, info = name)
  }
})

test_that("every object of the stability table is read back, with the same distances", {
  rows <- read_fixture("stability_maps.csv")
  rows <- rows[nzchar(rows$d_in), ]
  rows <- rows[!grepl("user_transformation|stability_map", rows$constructor), ]
  specs <- unique(rows[c("constructor", "args_json")])
  expect_gt(nrow(specs), 50)
  for (i in seq_len(nrow(specs))) {
    object <- oracle_object(specs$constructor[[i]], specs$args_json[[i]])
    expect_identical(public_face(from_json(to_json(object))), public_face(object))
  }
})

test_that("every statistic is read back as it was written", {
  data <- example_rows()
  for (statistic in Filter(Negate(holds_code), example_statistics())) {
    text <- to_json(statistic)
    again <- read_json(text)
    expect_s3_class(again, class(statistic)[[1]])
    expect_identical(to_json(again), text)
    expect_identical(to_json(read_json(to_json(again, pretty = TRUE))), text)
    expect_identical(plan_hash(again), plan_hash(statistic))
    expect_identical(format(again), format(statistic))
    expect_identical(measured_loss(again$measurement), measured_loss(statistic$measurement))
    expect_identical(names(again$release(data)), names(statistic$release(data)))
    part <- to_json(statistic$measurement)
    expect_identical(to_json(read_json(part)), part)
    expect_identical(plan_hash(read_json(part)), plan_hash(statistic$measurement))
  }
})

test_that("objects made of statistics are written and read, with each statistic once", {
  statistic <- mean_of()
  both <- make_composition(list(statistic$measurement, statistic$measurement))
  text <- to_json(both)
  expect_length(gregexpr("dpMean", text, fixed = TRUE)[[1]], 1)
  again <- from_json(text)
  expect_identical(to_json(again), text)
  expect_identical(again(d_in = 1L), both(d_in = 1L))
})

test_that("a statistic with a user function has no JSON form, one with a name has", {
  own <- aggregate_of(innerFun = max, outputRange = c(0, 1))
  expect_error(to_json(own), "`innerFun` of dpSampleAndAggregate() is a function",
    fixed = TRUE, class = "dp_error_serialization"
  )
  expect_error(to_json(own$measurement), class = "dp_error_serialization")
  named <- parse_json(to_json(aggregate_of(aggregationFun = "WinsorizedMean")))
  expect_identical(named[c("_type", "name")],
    list(`_type` = "statistic", name = "dpSampleAndAggregate"))
  expect_identical(named$kwargs$aggregationFun, "WinsorizedMean")
})

test_that("invalid texts of statistics raise errors", {
  text <- to_json(mean_of())
  for (name in c("dpUnif", "mechanismLaplace", "system", "dpNothing", "release2json")) {
    expect_refused_text(sub("dpMean", name, text, fixed = TRUE))
  }
  expect_refused_text(sub('"kwargs":{', '"kwargs":{"...":1,', text, fixed = TRUE))
  expect_refused_text(sub('"kwargs":{', '"kwargs":{"delta":1,', text, fixed = TRUE))
  expect_error(from_json(sub('"epsilon":{"_type":"double","value":[0.1]}', '"epsilon":null', text,
    fixed = TRUE)), class = "dp_error_invalid_argument")
  part <- to_json(mean_of()$measurement)
  expect_refused_text(sub('"name":"measurement"', '"name":"release"', part, fixed = TRUE))
})

test_that("every object can be read in a new session", {
  objects <- written_examples()
  shipped <- list(
    texts = lapply(objects, to_json), public_face = public_face, plain = plain
  )
  after <- in_new_session(shipped, "plain <- input$plain
    environment(input$public_face) <- globalenv()
    refused <- tryCatch(from_json(input$texts$make_clamp), error = identity)
    stopifnot(inherits(refused, 'dp_error_missing_feature'))
    enable_features('contrib', 'honest-but-curious')
    suppressWarnings(
      lapply(input$texts, function(text) input$public_face(from_json(text))),
      classes = 'deprecatedWarning'
    )"
  )
  expect_identical(after, lapply(objects, public_face))
})

test_that("the text is the published call log", {
  node <- parse_json(to_json(rows_of("i32") |> then_clamp(c(0L, 10L))))
  expect_identical(node[c("version", "_type", "name", "module")], list(
    version = 1L, `_type` = "constructor", name = "make_clamp", module = "transformations"
  ))
  expect_named(node$kwargs, c("input_domain", "input_metric", "bounds"))
  expect_identical(node$kwargs$bounds, list(`_type` = "integer", value = list(0L, 10L)))
  atom <- node$kwargs$input_domain$kwargs$atom_domain
  expect_identical(atom$kwargs, list(bounds = NULL, nan = NULL, T = "i32"))
})

test_that("the format is stable: a text written once can always be read", {
  text <- paste0(
    '{"version":1,"shared":[{"_type":"constructor","name":"make_clamp","module":"transformations",',
    '"kwargs":{"input_domain":{"_type":"constructor","name":"vector_domain","module":"domains",',
    '"kwargs":{"atom_domain":{"_type":"constructor","name":"atom_domain","module":"domains",',
    '"kwargs":{"bounds":null,"nan":false,"T":"f64"}},"size":{"_type":"double","value":[4]}}},',
    '"input_metric":{"_type":"constructor","name":"symmetric_distance","module":"metrics",',
    '"kwargs":{}},"bounds":{"_type":"double","value":[-0.1,0.30000000000000004]}}}],',
    '"_type":"constructor","name":"make_chain_tt","module":"combinators","kwargs":{',
    '"transformation1":{"_type":"constructor","name":"make_count","module":"transformations",',
    '"kwargs":{"input_domain":{"_type":"part","name":"output_domain","of":{"_type":"reference",',
    '"to":1}},"input_metric":{"_type":"part","name":"output_metric","of":{"_type":"reference",',
    '"to":1}},"TO":"int"}},"transformation0":{"_type":"reference","to":1}}}'
  )
  rows <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE), size = 4), symmetric_distance())
  counted <- rows |> then_clamp(c(-0.1, 0.1 + 0.2)) |> then_count()
  expect_identical(to_json(counted), text)
  expect_identical(public_face(from_json(text)), public_face(counted))
})

test_that("repeated parts are written once, so a long chain stays short", {
  size_after <- function(steps) {
    chain <- rows_of("i32")
    for (i in seq_len(steps)) chain <- chain |> then_clamp(c(0L, 10L))
    nchar(to_json(chain))
  }
  expect_lt(size_after(40) - size_after(20), 1.1 * (size_after(60) - size_after(40)))
  chain <- rows_of("i32")
  for (i in 1:200) chain <- chain |> then_clamp(c(0L, 10L))
  expect_identical(from_json(to_json(chain))(d_in = 3L), 3)
})

test_that("a user function has no JSON form, and the error names where it is", {
  objects <- built_examples()
  for (name in intersect(has_function, names(objects))) {
    expect_error(to_json(objects[[name]]), "saveRDS", class = "dp_error_serialization")
  }
  expect_error(
    to_json(objects$make_user_transformation),
    "`function_` of make_user_transformation() is a function",
    fixed = TRUE, class = "dp_error_serialization"
  )
  expect_error(
    to_json(user_distance("mine", descriptor = as.Date("2020-01-01"))),
    "`descriptor` of user_distance() is an object of class Date",
    fixed = TRUE, class = "dp_error_serialization"
  )
})

test_that("only framework objects are written, and the flag must be one value", {
  for (x in list(1, "a", NULL, mean, list(symmetric_distance()), dpMean)) {
    expect_error(to_json(x), class = "dp_error_invalid_argument")
  }
  expect_error(to_json(symmetric_distance(), pretty = 2), class = "dp_error_invalid_argument")
})

# Texts from other sources ------------------------------------------------------------------------

# A node named `name` without arguments, with optional changes.
node_of <- function(name, kwargs = "{}", module = "metrics") {
  paste0(
    '{"version":1,"_type":"constructor","name":', name, ',"module":"', module, '","kwargs":',
    kwargs, "}"
  )
}

test_that("values that are not strings raise an error", {
  for (text in list(1, NULL, NA_character_, list("{}"), factor("{}"))) {
    expect_error(from_json(text), class = "dp_error_invalid_argument")
  }
})

test_that("texts in another format raise an error", {
  expect_s3_class(from_json(node_of('"symmetric_distance"')), "metric")
  lines <- strsplit(to_json(max_divergence(), pretty = TRUE), "\n")[[1]]
  expect_s3_class(from_json(lines), "measure")
  texts <- c(
    "", " ", "null", "1", '"text"', "[]", "{}", "nonsense", '{"version":1}', '{"version":1',
    "\xff", "https://example.org/x.json", "/etc/passwd", tempdir(),
    sub('"version":1', '"version":2', node_of('"symmetric_distance"')),
    sub('"version":1', '"version":"1"', node_of('"symmetric_distance"')),
    sub('"version":1,', "", node_of('"symmetric_distance"')),
    sub('"version":1', '"version":1,"version":1', node_of('"symmetric_distance"')),
    sub('"version":1', '"version":1,"more":1', node_of('"symmetric_distance"')),
    sub('"version":1', '"version":1,"shared":{}', node_of('"symmetric_distance"')),
    sub('"version":1', '"version":1,"shared":[1]', node_of('"symmetric_distance"')),
    sub('"version":1', '"version":1,"shared":["a"]', node_of('"symmetric_distance"')),
    node_of("1"), node_of("null"), node_of("[]"), node_of('"symmetric_distance"', "[]"),
    node_of('"symmetric_distance"', "null"), node_of('"symmetric_distance"', '{"x":1}'),
    node_of('"symmetric_distance"', module = "measures"),
    node_of('"absolute_distance"', '{"T":"f64","T":"f64"}'),
    node_of('"absolute_distance"', '{".T":"f64"}'),
    node_of('"absolute_distance"', '{"T":1}'),
    node_of('"absolute_distance"', '{"T":{"_type":"type","value":1}}'),
    '{"version":1,"_type":"reference","to":1}', '{"version":1,"_type":"double","value":[1]}',
    '{"version":1,"_type":"part","name":"ptr","of":null}',
    '{"version":1,"_type":"surprise"}', '{"version":1,"_type":["part"]}',
    strrep("[", 1e6), paste0(strrep('{"a":', 1e5), "1", strrep("}", 1e5))
  )
  for (text in texts) expect_refused_text(text)
})

test_that("a text can call only exported constructors, whatever it names", {
  marker <- withr::local_tempfile()
  names <- c(
    "system", "base::system", "base::file.create", "file.create", "eval", "get", "do.call",
    "PSIlence::make_clamp", "PSIlence:::core_measure", "core_measure", "core_make_laplace",
    "new_metric", "metric_from", "rebuild", "from_json", "readRDS", "enable_features",
    "then_clamp", "dpMean", "binary_search", "library.dynam", "make_step", "MAKE_CLAMP", "make_",
    "make_clamp ", "make_clamp\\n", "new_queryable", "measurement_invoke", "domain_debug"
  )
  for (name in names) {
    for (kwargs in c("{}", paste0('{"file":"', marker, '"}'), '{"command":"true"}')) {
      expect_refused_text(node_of(paste0('"', name, '"'), kwargs))
    }
  }
  expect_false(file.exists(marker))
})

test_that("a part or a map must belong to an object, and supports nothing else", {
  metric <- sub('"version":1,', "", node_of('"symmetric_distance"'), fixed = TRUE)
  node <- function(...) paste0('{"version":1,', paste0(...), "}")
  expect_refused_text(node('"_type":"part","name":"log","of":', metric))
  expect_refused_text(node('"_type":"part","name":"json","of":', metric))
  expect_refused_text(node('"_type":"part","name":"ptr","of":', metric))
  expect_refused_text(node('"_type":"part","name":"input_domain","of":"a"'))
  expect_refused_text(node('"_type":"map","d_in":null,"of":', metric))
  expect_error(
    from_json(node('"_type":"part","name":"input_domain","of":', metric)), class = "dp_error"
  )
  laplace <- sub('"version":1,', "", to_json(number_of("i32") |> then_laplace(2)), fixed = TRUE)
  expect_refused_text(node('"_type":"map","d_in":{"_type":"integer","value":[1]},"of":', laplace))
})

test_that("an error of a constructor keeps its class", {
  text <- to_json(number_of("i32") |> then_laplace(2.5))
  bad <- sub('"value":[2.5]', '"value":[-2.5]', text, fixed = TRUE)
  expect_false(identical(bad, text))
  expect_error(from_json(bad), class = "dp_error_make_measurement")
  expect_error(
    from_json(node_of('"absolute_distance"', '{"T":"String"}')), class = "dp_error_type"
  )
  withr::local_options(opendp_features = NULL)
  expect_error(from_json(text), class = "dp_error_missing_feature")
})

# Every changed text is rejected with an error of the package, or describes a different object.
expect_sound <- function(text) {
  result <- suppressWarnings(tryCatch(from_json(text), error = identity))
  kinds <- c("dp_error", "domain", "metric", "measure", "transformation", "measurement")
  expect_true(inherits(result, kinds), info = paste(class(result)[[1]], text))
}

test_that("texts with a byte changed, dropped or added raise an error or mean another object", {
  text <- to_json(bounded_rows(c(0L, 9L)) |> then_sum() |> then_laplace(2))
  bytes <- utf8ToInt(text)
  other <- utf8ToInt('"{}[]:,\\0a-. e')
  for (at in seq(1, length(bytes), by = 17)) {
    put <- other[[at %% length(other) + 1]]
    expect_sound(intToUtf8(replace(bytes, at, put)))
    expect_sound(intToUtf8(bytes[-at]))
    expect_sound(intToUtf8(append(bytes, put, at)))
  }
  for (at in seq(1, nchar(text), by = 31)) expect_sound(substr(text, 1, at))
})

test_that("texts with a value of another kind raise an error or mean another object", {
  node <- parse_json(to_json(bounded_rows(c(0, 9)) |> then_clamp(c(1, 2)) |> then_sum() |>
    then_laplace(2)))
  values <- list(
    NULL, TRUE, 1L, 1.5, "a", list(), list(1), list(`_type` = "double", value = list()),
    list(`_type` = "character", value = list(NULL)), list(`_type` = "list", value = list("f64")),
    list(`_type` = "integer", value = list(1L, 2L, 3L)), list(`_type` = "raw", value = "0g"),
    list(`_type` = "reference", to = 1L), list(`_type` = "reference", to = 0L),
    list(`_type` = "reference", to = 1.5), list(`_type` = "type", value = "<")
  )
  # Replaces each node by each value, one at a time.
  changed <- function(x) {
    if (!is.list(x) || !length(x)) {
      return(list())
    }
    unlist(lapply(seq_along(x), function(i) {
      here <- lapply(values, function(value) replace(x, i, list(value)))
      below <- lapply(changed(x[[i]]), function(value) replace(x, i, list(value)))
      c(here, below)
    }), recursive = FALSE)
  }
  variants <- changed(node)
  expect_gt(length(variants), 1000)
  # Every third is enough: in a chain of repeated steps, each value still reaches every kind of
  # place.
  for (variant in variants[seq(1, length(variants), by = 3)]) {
    expect_sound(jsonlite::toJSON(variant, auto_unbox = TRUE, null = "null", digits = NA))
  }
})

test_that("a text beyond the limits raises an error before any parser reads it", {
  long <- strrep(" ", 6e7)
  zero_depth <- paste0(strrep("[", 1e6), strrep("]", 1e6))
  local_replaced("parse_json_text", function(text) stop("it was parsed"))
  expect_error(from_json(long), "at most 33554432 bytes", class = "dp_error_serialization")
  expect_error(from_json(rep(strrep(" ", 6e5), 100)), "bytes", class = "dp_error_serialization")
  expect_error(from_json(zero_depth), "in each other", class = "dp_error_serialization")
  expect_error(from_json("\xff"), class = "dp_error_serialization")
})
