# What the result of a function of blocks comes to. A failure is a result, too: NaN, which the core
# turns into the middle of the declared range, or a vote for nobody. Nothing dispatches on a result:
# what has a class is none, but for a table and for a factor, whose codes are read.

# How the results of a plan's function are read: as votes, or as a number for each row of `range`.
block_reader <- function(outcomes, range) {
  if (is.null(outcomes)) read_numbers(nrow(range), rownames(range)) else read_vote(outcomes)
}

# `width` numbers, in the order of `names` if they have these names; NaN for one that is missing,
# and for all if these are not so many numbers.
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

# The place of a vote among the public outcomes, from 0; behind the last if it is not among them.
read_vote <- function(outcomes) {
  force(outcomes)
  function(x) {
    vote <- if (is_text_column(x)) core_texts(x) else plain_numbers_of(x)
    place <- if (length(vote) == 1) match(vote, outcomes, nomatch = 0) else 0
    if (place == 0) as.double(length(outcomes)) else place - 1
  }
}

# Doubles without attributes; none for what is no plain vector of numbers, or a table of counts.
plain_numbers_of <- function(x) {
  plain <- !is.object(x) || identical(oldClass(x), "table")
  if (!plain || isS4(x) || match(typeof(x), c("logical", "integer", "double"), 0) == 0) {
    return(double())
  }
  attributes(x) <- NULL
  as.double(x)
}

# A formula stands for the coefficients of its linear regression on the rows of a block. Plans keep
# formulas without their environment, so functions in it are those that R finds from package stats.
inner_function <- function(inner) {
  if (!inherits(inner, "formula")) {
    return(inner)
  }
  environment(inner) <- asNamespace("stats")
  function(block) unclass(stats::coef(stats::lm(inner, data = block)))
}
