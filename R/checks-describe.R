# Describes values in messages, without private ones.

# The ends of the range of whole numbers are not mentioned.
describe_range <- function(min = -Inf, max = Inf, above = -Inf, below = Inf) {
  limits <- c(
    if (min > -2^53) paste("at least", format(min)),
    if (above > -Inf) paste("above", format(above)),
    if (max < 2^53) paste("at most", format(max)),
    if (below < Inf) paste("below", format(below))
  )
  paste0(if (length(limits)) " ", paste(limits, collapse = " and "))
}

# Describes the type and shape of `x`, without its content.
describe <- function(x) {
  if (is.null(x)) {
    "NULL"
  } else if (is.object(x)) {
    paste("an object of class", class(x)[[1]])
  } else if (is.function(x)) {
    "a function"
  } else if (is.list(x)) {
    paste("a list of length", length(x))
  } else if (!is.atomic(x)) {
    paste("an object of type", typeof(x))
  } else if (length(x) == 1) {
    describe_scalar(x)
  } else {
    type <- switch(typeof(x),
      integer = "an integer",
      double = "a numeric",
      paste("a", typeof(x))
    )
    paste(type, "vector of length", length(x))
  }
}

describe_scalar <- function(x) {
  if (is.double(x) && is.nan(x)) {
    return("NaN")
  }
  if (is.na(x)) {
    return("a missing value")
  }
  switch(typeof(x),
    logical = "a logical value",
    integer = "a whole number",
    double = describe_double(x),
    character = "a string",
    complex = "a complex number",
    raw = "a raw byte"
  )
}

describe_double <- function(x) {
  if (is.infinite(x)) {
    "an infinite number"
  } else if (x != trunc(x)) {
    "a fractional number"
  } else {
    "a whole number"
  }
}

# Shows the value of an argument that must be public: one string, or one or two numbers. Longer
# values can be data by mistake, so only their type and shape are named.
name_public <- function(x) {
  if (is_string(x) && validUTF8(x)) {
    encodeString(if (nchar(x) > 60) paste0(substr(x, 1, 57), "...") else x, quote = "\"")
  } else if (is_numbers(x) && is.null(dim(x)) && length(x) %in% 1:2) {
    paste(show_number(x, 7), collapse = " and ")
  } else {
    describe(x)
  }
}

# Escapes names, which can come from strangers. Characters that move the cursor or change the text
# direction are shown as `\\u001b`, so a name cannot rewrite the line around it.
printable <- function(text) {
  text <- iconv(enc2utf8(as.character(text)), "UTF-8", "UTF-8", sub = "byte")
  hidden <- "[\\p{Cc}\\p{Zl}\\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]"
  has <- grepl(hidden, text, perl = TRUE)
  text[has] <- vapply(strsplit(text[has], ""), function(characters) {
    is_hidden <- grepl(hidden, characters, perl = TRUE)
    characters[is_hidden] <- sprintf("\\u%04x", vapply(characters[is_hidden], utf8ToInt, 1L))
    paste(characters, collapse = "")
  }, "")
  text
}

quoted <- function(names) paste0("`", printable(names), "`")

# "`a`, `b` and `c`"
listed <- function(names, last = "and") {
  names <- quoted(names)
  if (length(names) < 2) {
    return(names)
  }
  paste(toString(names[-length(names)]), last, names[[length(names)]])
}
