# Why data are refused, in words that follow from public things alone: whether they are a data
# frame, the names of its columns, and types and classes. The words are ours: a class may have any
# name.

refuse_data <- function(data, variable, what) {
  sentence <- if (!is.data.frame(data)) {
    paste0("`data` must be a data frame, not ", kind_of_column(data), ".")
  } else {
    at <- which(attr(data, "names") == variable)
    came <- switch(min(length(at), 2) + 1,
      ", but it has none", paste(", not", kind_of_column(.subset2(data, at))),
      ", but it has several"
    )
    fix <- if (length(at) == 1) {
      fix_of_column(.subset2(data, at), what)
    } else if (length(at) == 0) {
      meant <- hint_for_column(variable, attr(data, "names"))
      if (!is.null(meant)) paste0(" ", meant)
    }
    paste0("`data` needs one column `", variable, "` that is ", what, came, ".", fix)
  }
  stop_dp("{sentence}", "invalid_argument", argument = "data", call = NULL)
}

labelled_words <- paste(
  "labelled, whose numbers are codes. Set each code of a missing value to NA, for example",
  "x[x %in% 999] <- NA. haven::zap_missing() does this only for tagged missing values and declared",
  "na_values. Then convert it with as.numeric()"
)

# Classes that give the bits of a vector another meaning, and what its owner can do about it.
known_classes <- c(
  factor = "a factor, whose numbers are codes: convert it first",
  Date = "a Date: as.numeric() converts it to days",
  POSIXct = "a POSIXct: as.numeric() converts it to seconds",
  POSIXlt = "a POSIXlt, which is a list",
  difftime = "a difftime: as.numeric() converts it to numbers",
  integer64 = "an integer64: bit64::as.double.integer64() converts it to numbers",
  haven_labelled = labelled_words,
  labelled = labelled_words,
  data.frame = "a data frame",
  AsIs = "of class AsIs: see unclass()"
)

kind_of_column <- function(x) {
  class <- if (is.object(x)) match(attr(x, "class"), names(known_classes))
  class <- class[!is.na(class)]
  if (length(class) > 0) {
    known_classes[[class[[1]]]]
  } else if (is.object(x)) {
    "of a class that is not known here"
  } else if (!is.null(dim(x))) {
    "a matrix or an array"
  } else {
    kind_of_type(typeof(x))
  }
}

# Advice on converting a plain column to the needed kind.
fix_of_column <- function(x, needed) {
  if (is.object(x) || !is.null(attr(x, "dim"))) {
    NULL
  } else if (typeof(x) == "character" && !startsWith(needed, "text")) {
    " as.numeric() makes numbers of texts."
  } else if (typeof(x) %in% c("logical", "integer", "double") && startsWith(needed, "text")) {
    " as.character() makes texts of numbers."
  }
}

kind_of_type <- function(type) {
  switch(type,
    logical = "a logical vector",
    integer = "an integer vector",
    double = "a numeric vector",
    character = "text",
    list = "a list",
    `NULL` = "NULL",
    paste("of type", type)
  )
}
