# Reads the result of a user's function of a block. A failure is a result, too: NaN, which the core
# replaces by the middle of the declared range, or an empty vote. Results never dispatch methods:
# classed objects count as failures, except tables, and factors, whose codes are read.

# Chooses how to read results: as votes, or as a number for each row of `range`.
block_reader <- function(outcomes, range) {
  if (is.null(outcomes)) read_numbers(nrow(range), rownames(range)) else read_vote(outcomes)
}

# Reads `width` numbers, in the order of `names` if they have these names. Missing numbers become
# NaN, and all do if the length is wrong.
read_numbers <- function(width, names = NULL) {
  force(width)
  force(names)
  function(x) {
    numbers <- plain_numbers_of(x)
    own <- attr(x, "names", exact = TRUE)
    if (!is.null(names) && is.character(own) && setequal(own, names) && length(own) == width) {
      numbers <- numbers[match(names, own)]
    }
    if (length(numbers) != width) numbers <- rep(NaN, width)
    numbers[is.na(numbers)] <- NaN
    numbers
  }
}

# Index of a vote among the public outcomes, from 0. Other votes get the index after the last.
read_vote <- function(outcomes) {
  force(outcomes)
  function(x) {
    vote <- if (is_text_column(x)) core_texts(x) else plain_numbers_of(x)
    place <- if (length(vote) == 1) match(vote, outcomes, nomatch = 0) else 0
    if (place == 0) as.double(length(outcomes)) else place - 1
  }
}

# Plain doubles without attributes. Empty unless the input is a plain numeric vector or a table.
plain_numbers_of <- function(x) {
  plain <- !is.object(x) || identical(oldClass(x), "table")
  if (!plain || isS4(x) || match(typeof(x), c("logical", "integer", "double"), 0) == 0) {
    return(double())
  }
  attributes(x) <- NULL
  as.double(x)
}

# Makes a formula into a function: the coefficients of its linear regression on a block. Plans keep
# formulas without their environment, so R finds functions in them from package stats.
inner_function <- function(inner) {
  if (!inherits(inner, "formula")) {
    return(inner)
  }
  environment(inner) <- asNamespace("stats")
  function(block) unclass(stats::coef(stats::lm(inner, data = block)))
}
