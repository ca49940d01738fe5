# Reads rows of the map oracles as objects of the package, as their specification says. An integer
# literal is an integer distance. One with a point or an exponent is a float.

parse_json <- function(text) jsonlite::fromJSON(text, simplifyVector = FALSE)

# Decodes numbers that JSON writes as strings. Other strings stay unchanged.
oracle_number <- function(x) {
  switch(if (is.character(x)) x else "",
    `nan` = NaN,
    `Inf` = Inf,
    `-0.0` = -0,
    x
  )
}

# Calls the metric's constructor: "L1Distance<i32>" is l1_distance("i32").
oracle_metric <- function(text) {
  constructor <- tolower(sub("Distance$", "_distance", sub("<.*", "", text)))
  constructor <- switch(constructor,
    insertdelete_distance = "insert_delete_distance",
    changeone_distance = "change_one_distance",
    constructor
  )
  inner <- regmatches(text, regexpr("(?<=<).*(?=>)", text, perl = TRUE))
  if (grepl("^l0[12]inf", constructor)) inner <- list(oracle_metric(inner))
  do.call(constructor, as.list(inner))
}

oracle_domain <- function(spec) {
  if (spec$kind == "dataframe") {
    return(make_create_dataframe("name", .K = spec$key)("output_domain"))
  }
  bounds <- unlist(lapply(spec$bounds, oracle_number))
  float <- spec$atom %in% c("f32", "f64")
  # Two domains can differ only in the NaN flag. The table does not test R's default for it.
  atom <- atom_domain(bounds = bounds, nan = if (float) isTRUE(spec$nan), .T = spec$atom)
  if (spec$kind == "atom") {
    return(atom)
  }
  element <- if (isTRUE(spec$option)) option_domain(atom) else atom
  vector_domain(element, size = spec$size)
}

# The two functions that the table describes in words.
oracle_functions <- list(
  `repeat the vector twice` = function(x) c(x, x),
  `d_in * 2` = function(d_in) d_in * 2
)

oracle_args <- function(args) {
  for (name in names(args)) {
    value <- args[[name]]
    read <- if (name %in% c("input_domain", "output_domain", "domain")) {
      oracle_domain(value)
    } else if (name %in% c("input_metric", "output_metric", "metric")) {
      oracle_metric(value)
    } else if (name %in% c("function_", "stability_map")) {
      oracle_functions[[value]]
    } else if (is.list(value)) {
      unlist(lapply(value, oracle_number))
    } else {
      oracle_number(value)
    }
    args[name] <- list(read) # NULL is a value
  }
  args
}

# Builds "make_sum" from its arguments, or "chain:make_a>make_b" from the arguments of its steps.
# The first step gives the space for all.
oracle_object <- function(constructor, args_json) {
  args <- parse_json(args_json)
  if (!startsWith(constructor, "chain:")) {
    names(args) <- sub("^P$", "p", names(args))
    return(do.call(constructor, oracle_args(args), quote = TRUE))
  }
  object <- do.call(names(args)[[1]], oracle_args(args[[1]]), quote = TRUE)
  for (link in names(args)[-1]) object <- oracle_link(object, link, oracle_args(args[[link]]))
  object
}

oracle_link <- function(object, constructor, args) {
  if (constructor == "make_user_transformation") {
    space <- list(
      input_domain = object("output_domain"), input_metric = object("output_metric"),
      output_domain = object("output_domain"), output_metric = object("output_metric")
    )
    args <- c(space, args)
  }
  do.call(sub("^make_", "then_", constructor), c(list(object), args), quote = TRUE)
}

is_integer_literal <- function(text) grepl("^-?[0-9]+$", text)

is_list_literal <- function(text) startsWith(text, "[")

# Parses an input distance: a number, or the list of a partition distance.
oracle_d_in <- function(text) {
  if (is_list_literal(text)) {
    return(parse_json(text))
  }
  value <- as.numeric(text)
  if (is_integer_literal(text) && value < 2^31) as.integer(value) else value
}

# Expected result for the text of a distance: an R integer for i32 and narrower types, a double for
# other types, and a list for a tuple of `types`.
oracle_d_out <- function(text, types) {
  texts <- strsplit(gsub("[][ ]", "", text), ",")[[1]]
  stopifnot(length(texts) == length(types), is_list_literal(text) == (length(types) > 1))
  parts <- unname(Map(oracle_distance, texts, types))
  if (is_list_literal(text)) parts else parts[[1]]
}

oracle_distance <- function(text, type) {
  stopifnot(is_integer_literal(text) == !type %in% c("f32", "f64"))
  value <- as.numeric(text)
  if (type %in% c("i8", "i16", "i32", "u8", "u16")) as.integer(value) else value
}

# Types of the parts that a map returns. The map of counts by group belongs to no transformation and
# returns doubles.
output_distance_types <- function(object) {
  if (inherits(object, "stability_map")) {
    return("f64")
  }
  strsplit(gsub("[() ]", "", metric_distance_type(object("output_metric"))), ",")[[1]]
}

# Parses spaces of the privacy map oracle, which are written as R prints them.
parse_domain <- function(text, nan = FALSE) {
  type <- sub(".*T=([A-Za-z0-9]+)[)].*", "\\1", text)
  atom <- atom_domain(nan = if (type %in% c("f32", "f64")) nan, .T = type)
  if (startsWith(text, "AtomDomain")) {
    return(atom)
  }
  size <- if (grepl("size=", text)) as.integer(sub(".*size=([0-9]+).*", "\\1", text))
  vector_domain(atom, size = size)
}

parse_metric <- function(text) oracle_metric(chartr("()", "<>", text))

# Builds objects that the oracle writes as calls:
# make_fix_delta(make_zCDP_to_approxDP(make_gaussian(f64, scale=s)), 1e-5), or count |> laplace(1).
# `...` gives values of names.
oracle_call <- function(text, ...) {
  on_number <- function(then) {
    function(type = f64, scale) then(number_of(toString(type)), scale)
  }
  words <- list(
    make_laplace = on_number(then_laplace), make_gaussian = on_number(then_gaussian),
    count = rows_of("i32") |> then_count(),
    clamp = function(lower, upper) rows_of("i32") |> then_clamp(c(lower, upper)),
    sum = then_sum, laplace = then_laplace,
    make_gaussian_threshold = function(type, ...) {
      counts <- map_domain(atom_domain(.T = bool), number_of(toString(type))[[1]])
      make_gaussian_threshold(counts, l02inf_distance(absolute_distance(type)), ...)
    }
  )
  text <- gsub("|> sum ", "|> sum() ", text, fixed = TRUE)
  text <- gsub("clamp(0,10)", "clamp(0L, 10L)", text, fixed = TRUE)
  eval(str2lang(text), c(words, list(...)), topenv())
}

# Words that the message must contain: the quoted words, if any. "(...)" matches a number.
expected_words <- function(d_out) {
  words <- sub("^ERROR: ", "", d_out)
  words <- sub("sensitivity must", "sensitivity (...) must", words, fixed = TRUE)
  words <- sub("(-0)", "(...)", words, fixed = TRUE)
  quoted <- regmatches(words, regexpr('"[^"]+"', words))
  if (length(quoted)) words <- gsub('"', "", quoted)
  trimws(strsplit(words, "(...)", fixed = TRUE)[[1]])
}

expect_refusal <- function(error, d_out) {
  expect_s3_class(error, "dp_error")
  for (words in expected_words(d_out)) {
    expect_match(conditionMessage(error), words, fixed = TRUE)
  }
  variant <- regmatches(d_out, regexpr("(Make|Failed|Metric)[A-Z][A-Za-z]+", d_out))
  if (length(variant)) expect_identical(error$variant, variant)
}

# The reference loses an ulp in four of its numbers. A correctly rounded map may be below them, but
# never above. A result far below an ulp of 1 did not come from a subtraction.
expect_close <- function(actual, expected) {
  expect_length(actual, length(expected))
  slack <- ifelse(expected != 0 & abs(expected) < 1e-17, 0, 3e-16)
  expect_lte(max(abs(actual - expected) - 1e-9 * abs(expected) - slack), 0)
}

expect_oracle <- function(actual, expected) {
  if (is.list(expected)) {
    expect_type(actual, "list")
    Map(expect_oracle, actual, expected)
    expect_identical(length(actual), length(expected))
  } else if (is.finite(expected)) {
    expect_close(actual, expected)
  } else {
    expect_identical(actual, expected)
  }
}
