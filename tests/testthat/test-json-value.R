# Node of a value as text, and the value read from it.
written <- function(x) {
  as.character(jsonlite::toJSON(list(json_value(x, "it", list())),
    auto_unbox = TRUE, null = "null", json_verbatim = TRUE
  ))
}

read_back <- function(text) value_of_node(parse_json(text)[[1]], list())

# Compares bits, because identical() does not distinguish -0 from 0 or different NaN.
expect_kept <- function(x) {
  again <- read_back(written(x))
  expect_identical(again, x)
  if (is.double(x)) expect_identical(sprintf("%a", 1 / again), sprintf("%a", 1 / x))
}

test_that("values keep their type, length, names and every bit", {
  values <- list(
    NULL, TRUE, NA, c(TRUE, NA), logical(), "text", "", NA_character_, c("a", NA, ""), character(),
    1L, NA_integer_, c(-.Machine$integer.max, 0L, NA), integer(),
    0, 1, -0, 0.1, 1 / 3, 0.1 + 0.2, 1e15, 1e22, 1e23, 2^53, 2^53 + 2, pi * 1e-300, 5e-324, 2^-1022,
    .Machine$double.xmax, -.Machine$double.xmax, 1e-320, Inf, -Inf, NaN, NA_real_,
    c(0, -0, Inf, NaN, NA, 0.1), double(), 1e5, 100000L, 123456789012,
    c(a = 1, b = 2), c(a = 1L), c(x = "y"), c(a = TRUE), stats::setNames(1:2, c("a", NA)),
    stats::setNames(double(), character()),
    as.raw(c(0, 1, 127, 255)), raw(), list(), list(NULL), list(1, 1L, "a", list(NULL, c(a = NaN))),
    list(a = 1, 2), stats::setNames(list(), character()), i32,
    rt_parse("HashMap<String, Vec<f64>>"),
    "\u00e9\u4e16\U1f600", "quote \" back \\ tab \t line \n bell \a", "NaN", "null", "0x1p3"
  )
  for (value in values) expect_kept(value)
})

test_that("random doubles of all magnitudes survive", {
  bits <- matrix(as.raw((seq_len(8 * 3000) * 7919 + seq_len(8 * 3000) %/% 3) %% 256), nrow = 8)
  x <- readBin(as.vector(bits), "double", n = 3000)
  x <- x[is.finite(x)]
  expect_gt(length(x), 2500)
  expect_kept(x)
  expect_kept(c(outer(c(1, 1.1, 1.7), 10^(-30:30))))
})

test_that("integers of 64 bits survive", {
  x <- bit64::as.integer64(c("9223372036854775807", "-9223372036854775807", "0", NA))
  expect_identical(written(x), paste0(
    '[{"_type":"integer64","value":["9223372036854775807","-9223372036854775807","0",null]}]'
  ))
  expect_identical(read_back(written(x)), x)
  expect_identical(read_back(written(bit64::as.integer64(5))), bit64::as.integer64(5))
})

test_that("texts in other encodings are converted", {
  latin <- "caf\xe9"
  Encoding(latin) <- "latin1"
  expect_identical(read_back(written(c(latin, "x"))), c("caf\u00e9", "x"))
  expect_identical(read_back(written(latin)), "caf\u00e9")
})

test_that("numbers are written as people write them", {
  expect_identical(written(c(20, 0.1, 1 / 3)), paste0(
    '[{"_type":"double","value":[20,0.1,', "0.3333333333333333", "]}]"
  ))
  expect_identical(written(c(1L, NA)), '[{"_type":"integer","value":[1,null]}]')
})

test_that("values without a node raise errors", {
  values <- list(
    mean, quote(x), quote(x + y), globalenv(), 1i, factor("a"), as.Date("2020-01-01"),
    matrix(1:4, 2), structure(1, class = "mine"), structure(list(1), class = "mine"), data.frame(),
    structure(1:2, unit = "m"), list(list(mean)), new.env(), expression(a)
  )
  for (value in values) {
    expect_error(json_value(value, "it", list()), class = "dp_error_serialization")
  }
})

test_that("nodes that are not vectors raise errors", {
  texts <- c(
    "1", "1.5", "{}", "[]", "[1]", '{"_type":1}', '{"_type":"double"}',
    '{"_type":"double","value":1}', '{"_type":"double","value":{"a":1}}',
    '{"_type":"double","value":["1"]}', '{"_type":"double","value":["inf"]}',
    '{"_type":"double","value":[true]}', '{"_type":"double","value":[1e999]}',
    '{"_type":"double","value":[[1]]}',
    '{"_type":"double","value":[{"_type":"double","value":[1]}]}',
    '{"_type":"integer","value":[1.5]}', '{"_type":"integer","value":[2147483648]}',
    '{"_type":"integer","value":[true]}', '{"_type":"logical","value":[1]}',
    '{"_type":"character","value":[1]}', '{"_type":"raw","value":"0"}',
    '{"_type":"raw","value":"gg"}', '{"_type":"raw","value":["00"]}',
    '{"_type":"integer64","value":[1]}', '{"_type":"integer64","value":["1.5"]}',
    '{"_type":"integer64","value":["99999999999999999999"]}',
    '{"_type":"double","value":[1],"names":["a","b"]}',
    '{"_type":"double","value":[1],"names":[1]}',
    '{"_type":"double","value":[1],"names":"a"}', '{"_type":"double","value":[1],"extra":1}',
    '{"_type":"double","value":[1],"value":[2]}', '{"_type":"closure","value":[1]}'
  )
  for (text in texts) {
    expect_error(read_back(paste0("[", text, "]")), class = "dp_error_serialization", info = text)
  }
})
