# What an audit sees of a release, and the experts that learn from earlier draws which neighbour it
# speaks for.

# Numbers of one release that are looked at, and numbers that get an expert for each one.
most_numbers_seen <- 40
most_single_numbers <- 10
most_low_bits <- 4

# A release, or the condition that came instead, as list(shape, numbers). A condition is a release
# too: its class and its message can depend on the data.
seen_release <- function(code, evidence = NULL) {
  begun <- proc.time()[["elapsed"]]
  failed <- FALSE
  raised <- character()
  hear <- function(condition) {
    raised <<- c(raised, class(condition)[[1]], conditionMessage(condition))
  }
  release <- or_else(
    withCallingHandlers(code, warning = function(warning) {
      hear(warning)
      tryInvokeRestart("muffleWarning")
    }),
    function(error) {
      failed <<- TRUE
      hear(error)
      NULL
    }
  )
  seen <- parts_seen(release)
  list(
    shape = paste(c(seen$shape, if (failed) "error", raised), collapse = "|"),
    numbers = seen$numbers, failed = failed,
    time = proc.time()[["elapsed"]] - begun,
    user = if (failed || is.null(evidence)) NA_real_ else number_of_evidence(evidence(release))
  )
}

number_of_evidence <- function(x) {
  if (!is_number(x) && !(is.numeric(x) && length(x) == 1)) {
    stop_argument("a function that returns one number", paste("one that returns", describe(x)),
      "evidence", quote(dp_audit())
    )
  }
  as.double(x)
}

# The shape has everything but numbers: class, length, names, dimensions, types and texts. Functions
# and environments are only types.
parts_seen <- function(release) {
  if (is.numeric(release) && !is.object(release) && is.null(attributes(release))) {
    return(list(shape = paste(typeof(release), length(release)), numbers = as.double(release)))
  }
  leaves <- leaves_of(release)
  shapes <- vapply(leaves, shape_of_leaf, "")
  numbers <- as.double(unlist(lapply(leaves, numbers_of_leaf)))
  list(shape = paste(c(class(release), names(leaves), shapes), collapse = "|"), numbers = numbers)
}

leaves_of <- function(x, name = "") {
  if (!is.list(x) || length(x) == 0) {
    return(stats::setNames(list(x), name))
  }
  names <- names(x) %||% rep("", length(x))
  # unclass(), because a method of a class could compute, or fail.
  parts <- Map(leaves_of, unclass(x), paste0(name, "$", names))
  unlist(unname(parts), recursive = FALSE)
}

shape_of_leaf <- function(x) {
  values <- if (is.character(x)) x else if (is.factor(x)) c(as.character(x), levels(x))
  paste(c(typeof(x), class(x), length(x), dim(x), names(x), unlist(dimnames(x)), values),
    collapse = " "
  )
}

numbers_of_leaf <- function(x) {
  if (inherits(x, "integer64")) x <- in_doubles(x)
  if (is.numeric(x) || is.logical(x) || is.raw(x)) as.double(unclass(x)) else numeric()
}

# Releases of a measurement, which raised no conditions. Releases of the same structure share its
# description, because describing each one takes longer than drawing it.
seen_in_bulk <- function(releases, evidence) {
  known <- new.env(parent = emptyenv())
  seen <- lapply(releases, function(release) {
    release <- in_doubles(release)
    flat <- flat_parts(release)
    parts <- if (!is.null(flat)) list(shape = known[[flat$key]], numbers = flat$numbers)
    if (is.null(parts$shape)) parts <- parts_seen(release)
    if (!is.null(flat)) assign(flat$key, parts$shape, known)
    list(shape = parts$shape, numbers = parts$numbers, failed = FALSE, time = NA_real_,
      user = if (is.null(evidence)) NA_real_ else number_of_evidence(evidence(release))
    )
  })
  bind_seen(seen)
}

# Bare numbers, or a list of lists of bare numbers and texts, as list(key, numbers): equal keys mean
# equal shapes. NULL for other releases.
flat_parts <- function(x) {
  bare <- function(x) is.null(attributes(x)) && (is.numeric(x) || is.character(x))
  if (is.numeric(x) && bare(x)) {
    return(list(key = paste(typeof(x), length(x)), numbers = as.double(x)))
  }
  if (!is.list(x) || length(x) == 0 || !is.null(attributes(x))) {
    return(NULL)
  }
  parts <- unlist(lapply(x, function(part) if (is.list(part)) part else list(part)),
    recursive = FALSE
  )
  if (!is.null(attributes(parts)) || !all(vapply(parts, bare, NA))) {
    return(NULL)
  }
  text <- vapply(parts, is.character, NA)
  types <- vapply(parts, typeof, "")
  key <- paste(c(vapply(x, is.list, NA), lengths(x), types, lengths(parts), unlist(parts[text])),
    collapse = " "
  )
  list(key = key, numbers = as.double(unlist(parts[!text])))
}

# Draws in a table: `numbers` has a row for each draw, the other parts an element.
bind_seen <- function(releases) {
  width <- min(most_numbers_seen, max(lengths(lapply(releases, `[[`, "numbers")), 0))
  numbers <- vapply(releases, function(release) release$numbers[seq_len(width)], numeric(width))
  list(
    numbers = t(matrix(numbers, nrow = width, ncol = length(releases))),
    shape = vapply(releases, `[[`, "", "shape"), failed = vapply(releases, `[[`, NA, "failed"),
    time = vapply(releases, `[[`, 0, "time"), user = vapply(releases, `[[`, 0, "user")
  )
}

# Missing columns are numbers that these releases do not have.
with_width <- function(seen, width) {
  lacks <- max(width - ncol(seen$numbers), 0)
  seen$numbers <- cbind(seen$numbers, matrix(NA_real_, nrow(seen$numbers), lacks))
  seen
}

join_seen <- function(before, more) {
  if (is.null(before)) {
    return(more)
  }
  before <- with_width(before, ncol(more$numbers))
  more <- with_width(more, ncol(before$numbers))
  c(list(numbers = rbind(before$numbers, more$numbers)), Map(c, before[-1], more[-1]))
}

part_seen <- function(seen, rows) {
  c(
    list(numbers = seen$numbers[rows, , drop = FALSE]),
    lapply(seen[-1], function(part) part[rows])
  )
}

# The largest k such that x is a multiple of 2^k, for each number, as a text. Noise of floating
# point, or rounding to a grid that depends on data, shows in it.
lowest_bit <- function(x) {
  low <- rep(NA_integer_, length(x))
  some <- is.finite(x) & x != 0
  # As an integer below 2^53, exactly: powers of two scale without rounding. Subnormal numbers need
  # two steps.
  value <- abs(x[some])
  tiny <- value < 2^-1022
  value[tiny] <- value[tiny] * 2^60
  exponent <- floor(log2(value)) + 1
  # log2() rounds up just below a power of two.
  exponent <- exponent - (value < 2^(exponent - 1))
  half <- trunc((53 - exponent) / 2)
  value <- value * 2^half * 2^(53 - exponent - half)
  bits <- integer(length(value))
  for (step in c(32L, 16L, 8L, 4L, 2L, 1L)) {
    even <- value %% 2^step == 0
    value[even] <- value[even] / 2^step
    bits[even] <- bits[even] + step
  }
  low[some] <- as.integer(bits + exponent - 53 - 60 * tiny)
  low
}

text_of_number <- function(x) {
  ifelse(is.nan(x), "NaN", ifelse(is.na(x), "NA", ifelse(is.finite(x), "", as.character(x))))
}

# Experts ----------------------------------------------------------------------------------------

# An expert learns from `seen` and `sides`: list(score, learned). `score` maps draws to numbers or
# texts, and `learned` are the draws whose scores can choose a rule.

learned_from_all <- function(score) function(seen, sides) list(score = score, learned = TRUE)

low_bit_expert <- function(j) {
  learned_from_all(function(seen) {
    paste(lowest_bit(seen$numbers[, j]), text_of_number(seen$numbers[, j]))
  })
}

single_expert <- function(j) learned_from_all(function(seen) seen$numbers[, j])

# Which of the first numbers were seen before: for the first neighbour, the second, both or neither.
# One half of the draws is the memory, the other half chooses the rule.
equal_expert <- function(seen, sides) {
  memory <- seq_along(sides) <= length(sides) / 2
  columns <- seq_len(min(ncol(seen$numbers), most_low_bits))
  values <- lapply(1:2, function(side) {
    lapply(columns, function(j) unique(seen$numbers[memory & sides == side, j]))
  })
  score <- function(seen) {
    met <- lapply(columns, function(j) {
      x <- seen$numbers[, j]
      (x %in% values[[1]][[j]]) + 2 * (x %in% values[[2]][[j]])
    })
    do.call(paste, met)
  }
  list(score = score, learned = !memory)
}

# Logistic regression on each number, and on the number between the two medians: the latter is the
# log-likelihood ratio of Laplace noise, the former of Gaussian noise.
logit_expert <- function(products) {
  function(seen, sides) {
    basis <- logit_basis(seen, sides, products)
    weights <- ridge_logit(basis(seen), as.numeric(sides == 1))
    list(score = function(seen) drop(basis(seen) %*% weights), learned = TRUE)
  }
}

logit_basis <- function(seen, sides, products) {
  columns <- seq_len(ncol(seen$numbers))
  finite <- function(x) x[is.finite(x)]
  centres <- vapply(columns, function(j) {
    vapply(1:2, function(side) {
      found <- finite(seen$numbers[sides == side, j])
      if (length(found)) stats::median(found) else 0
    }, 0)
  }, numeric(2))
  widths <- vapply(columns, function(j) {
    width <- stats::IQR(finite(seen$numbers[, j]))
    if (is.finite(width) && width > 0) width else 1
  }, 0)
  function(seen) {
    parts <- lapply(columns, function(j) {
      x <- seen$numbers[, j]
      missing <- !is.finite(x)
      x[missing] <- centres[1, j]
      ends <- sort(centres[, j])
      plain <- pmin(pmax((x - centres[1, j]) / widths[[j]], -8), 8)
      cbind(plain, (pmin(pmax(x, ends[[1]]), ends[[2]]) - ends[[1]]) / widths[[j]], missing)
    })
    one <- do.call(cbind, parts)
    plain <- one[, 3 * columns - 2, drop = FALSE]
    if (products) {
      pairs <- which(upper.tri(diag(length(columns)), diag = TRUE), arr.ind = TRUE)
      one <- cbind(one, plain[, pairs[, 1]] * plain[, pairs[, 2]])
    }
    cbind(one, 1)
  }
}

ridge_logit <- function(x, y, ridge = 1, steps = 12) {
  weights <- numeric(ncol(x))
  for (step in seq_len(steps)) {
    share <- stats::plogis(drop(x %*% weights))
    curvature <- crossprod(x * pmax(share * (1 - share), 1e-6), x) + diag(ridge, ncol(x))
    gradient <- crossprod(x, y - share) - ridge * weights
    move <- or_else(drop(solve(curvature, gradient)), function(error) 0 * weights)
    weights <- weights + move
    if (max(abs(move)) < 1e-5) break
  }
  weights
}

# The experts of a pair, by name. They are fixed after the first batch, which no rule judges.
experts_for <- function(seen, evidence, observe) {
  width <- ncol(seen$numbers)
  first <- function(most) seq_len(min(width, most))
  named <- function(prefix, make, at) {
    stats::setNames(lapply(at, make), if (length(at)) paste0(prefix, " ", at))
  }
  c(
    list(shape = learned_from_all(function(seen) seen$shape)),
    if ("bits" %in% observe) named("lowest bit of number", low_bit_expert, first(most_low_bits)),
    if (width > 0) {
      c(
        list(`equal numbers` = equal_expert),
        named("number", single_expert, first(most_single_numbers)),
        if (width > 1) list(`all numbers` = logit_expert(FALSE)),
        if (width < 7) list(`products of numbers` = logit_expert(TRUE))
      )
    },
    if (!is.null(evidence)) list(`your evidence` = learned_from_all(function(seen) seen$user)),
    if ("time" %in% observe) list(time = learned_from_all(function(seen) log(seen$time + 1e-9)))
  )
}
