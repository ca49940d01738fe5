# Kinds of arguments of statistics that are numbers: counts, shares and losses.

# Accepts counts up to `most`, which memory limits.
count_from <- function(least = 1, most = Inf) {
  argument_kind(paste("a whole number at least", least), function(value, arg, call, args) {
    value <- check_positive_whole(value, arg, call)
    if (value < least) stop_argument(paste("at least", least), name_public(value), arg, call)
    if (value > most) stop_argument(paste("at most", most), name_public(value), arg, call)
    value
  })
}

most_blocks <- 1e7

# Limits `n` if rows are resized to `n`, because they are held in memory. Otherwise `n` is only a
# number.
most_rows_made <- 2^36

number_of_rows <- function() {
  kind <- count_from(1)
  count <- kind$check
  kind$check <- function(value, arg, call, args) {
    value <- count(value, arg, call, args)
    if (identical(args$n_check, "resize") && value > most_rows_made) {
      stop_argument("at most 2^36 if `n_check` is \"resize\", which holds the rows in memory",
        name_public(value), arg, call
      )
    }
    value
  }
  kind$reads <- "n_check"
  kind
}

or_null <- function(words, null) paste0(words, if (null) ", or NULL")

whole_number <- function(min, max = 2^53, null = FALSE) {
  words <- or_null(paste0("a whole number", describe_range(min, max)), null)
  argument_kind(words, function(value, arg, call, args) {
    if (!(null && is.null(value))) {
      as.double(check_whole(value, min = min, max = max, arg = arg, call = call))
    }
  })
}

real_number <- function(min = -Inf, max = Inf, above = -Inf, null = FALSE) {
  words <- or_null(paste0("a finite number", describe_range(min, max, above)), null)
  argument_kind(words, function(value, arg, call, args) {
    if (!(null && is.null(value))) {
      as.double(check_number(value, min, max, above, arg = arg, call = call))
    }
  })
}

# Accepts numbers from 0 to 1. `zero` and `one` say whether the ends are valid.
share <- function(zero = FALSE, one = FALSE) {
  words <- paste(
    "a number", if (zero) "from 0" else "above 0", if (one) "to 1" else "and below 1"
  )
  argument_kind(words, function(value, arg, call, args) {
    as.double(check_probability(value, zero = zero, one = one, arg = arg, call = call))
  })
}

# Accepts any number of shares.
shares <- function() {
  argument_kind("numbers from 0 to 1, or NULL", function(value, arg, call, args) {
    if (is.null(value)) return(NULL)
    check_numbers(value, zero = TRUE, arg = arg, call = call)
    if (any(value > 1)) stop_argument("at most 1", "above", arg, call)
    value
  })
}

# Accepts at most `most` shares.
increasing_shares <- function(most) {
  words <- paste("up to", most, "increasing numbers from 0 to 1")
  argument_kind(words, function(value, arg, call, args) {
    fits <- is_numbers(value) && length(value) >= 1 && length(value) <= most && !anyNA(value) &&
      all(value >= 0 & value <= 1) && all(diff(value) > 0)
    if (!fits) stop_argument(words, name_public(value), arg, call)
    as.double(value)
  })
}

flag <- function() {
  argument_kind("`TRUE` or `FALSE`", function(value, arg, call, args) {
    check_flag(value, arg = arg, call = call)
  })
}

loss_words <- "a finite number above 0 (3 or more warns)"

# Loss of a release that no other argument can replace.
loss_of_release <- function() {
  argument_kind(loss_words, function(value, arg, call, args) {
    if (is_missing(value)) stop_argument("given", "missing", arg, call)
    check_epsilon(value, call, arg)
  })
}

# Loss of a release that may be left out if another argument gives it.
loss_or_other <- function(must) {
  argument_kind(must, function(value, arg, call, args) {
    if (is_missing(value)) {
      return(value)
    }
    as.double(check_number(value, above = 0, arg = arg, call = call))
  })
}

loss_or_rho <- function() loss_or_other("a finite number above 0, unless you give `rho`")

# Loss of Gaussian noise.
loss_in_rho <- function() {
  words <- paste(
    "a finite number above 0, for Gaussian noise, instead of `epsilon` and `delta`, or NULL"
  )
  loss_or_other(words)
}

gaussian_delta <- function() {
  words <- "a number above 0 and below 1 / `n`, for Gaussian noise, beside `epsilon`, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (!is_missing(value)) check_probability(value, arg = arg, call = call)
    value
  })
}
