# Parses descriptors of types.

# Parses a descriptor. A name that is not compound stays opaque: the core knows which ones exist.
# Names in `generics` are placeholders, and so are all names that start with a dot.
rt_parse <- function(type_name, generics = list()) {
  if (inherits(type_name, "runtime_type")) {
    return(type_name)
  }
  if (!is_string(type_name)) {
    stop_dp("type_name must be a character string", "invalid_argument", argument = "type_name")
  }
  text <- trimws(type_name)
  parse_args <- function(inner) lapply(split_args(inner), rt_parse, generics = generics)
  if (text == "" || !is_balanced(text)) {
    stop_dp("failed to parse type: {text}", "type_parse")
  }
  if (text == "()") {
    return(new_runtime_type("Tuple"))
  }
  if (grepl("^\\(.*\\)$", text)) {
    return(new_runtime_type("Tuple", parse_args(substr(text, 2, nchar(text) - 1))))
  }
  if (grepl("^[^<]+<.*>$", text)) {
    origin <- trimws(sub("<.*$", "", text))
    inner <- sub("^[^<]+<(.*)>$", "\\1", text)
    return(new_runtime_type(origin, parse_args(inner)))
  }
  type <- new_runtime_type(switch(text, int = "i32", float = "f64", text))
  type$is_generic <- type$is_generic || text %in% generics
  type
}

is_balanced <- function(text) {
  open <- character()
  closes <- c(">" = "<", ")" = "(")
  for (char in strsplit(text, "")[[1]]) {
    if (char %in% closes) {
      open <- c(open, char)
    } else if (char %in% names(closes)) {
      if (!identical(open[length(open)], closes[[char]])) {
        return(FALSE)
      }
      open <- open[-length(open)]
    }
  }
  length(open) == 0
}

# Splits at commas outside brackets.
split_args <- function(text) {
  chars <- strsplit(text, "")[[1]]
  depth <- cumsum(chars %in% c("<", "(")) - cumsum(chars %in% c(">", ")"))
  ends <- c(which(chars == "," & depth == 0), length(chars) + 1)
  starts <- c(1, ends[-length(ends)] + 1)
  trimws(substring(text, starts, ends - 1))
}

# Replaces placeholders: rt_substitute("Pairwise<.T>", .T = f64) is Pairwise<f64>. A placeholder
# without a value stays.
rt_substitute <- function(type, ...) {
  values <- list(...)
  type <- rt_parse(type, generics = names(values))
  if (type$is_generic && !is.null(values[[type$origin]])) {
    return(rt_parse(values[[type$origin]]))
  }
  type$args <- lapply(type$args, rt_substitute, ...)
  type
}

parse_or_infer <- function(type_name, public_example, generics = list()) {
  if (!is.null(type_name)) {
    return(rt_parse(type_name, generics))
  }
  if (is.null(public_example)) {
    stop_dp(
      "either type_name or public_example must be passed", "invalid_argument",
      argument = "type_name"
    )
  }
  rt_infer(public_example)
}
