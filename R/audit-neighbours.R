#' Invent neighbouring datasets for an audit
#'
#' `dp_neighbours()` lists pairs of invented datasets that differ in one unit of privacy. They are
#' at the corners of the declared values, where losses are usually largest. [dp_audit()] tries all
#' of them.
#'
#' @param domain The declared values: two bounds, for a function of a numeric vector, a
#'   [dp_schema()], for a function of a data frame, a statistic such as [dpMean()], or a query
#'   without data. Public.
#' @param relation (`character(1)`) How neighbours differ: `"replace"` changes one row,
#'   `"add_remove"` adds a row, and `"unit"` adds all rows of a person. The default follows from a
#'   statistic or query, and is `"replace"` otherwise. Public.
#' @param n (whole number) Number of rows that both datasets have. The default is `n` of a
#'   statistic, else 10. Public.
#' @param id (`character`) Names of the columns that identify a person, for `"unit"` with a
#'   [dp_schema()]. Public.
#' @param ... Not used: other names raise an error.
#' @param x (`dp_neighbours`) Pairs to print.
#' @returns (`dp_neighbours`) A list of pairs. Each pair is a list of two datasets. You can append
#'   pairs with `c()`, or give [dp_audit()] a plain list of pairs.
#' @details With L and U for the bounds and M for the middle, the datasets have all values L, all U,
#'   all M, half of them L and half U, values in a ramp, and all but one equal. The first row
#'   becomes L, U, M or a missing value. Several columns have the same corner together, and then
#'   each column alone. People have one row, and more rows than the query keeps. A pair of your own
#'   helps if you know where a mechanism could fail.
#' @section Errors: `dp_error_invalid_argument` if `domain` has another class, a column has no
#'   declared values, or another argument is not valid.
#' @seealso [dp_audit()]
#' @examples
#' dp_neighbours(c(0, 10), n = 4)
#' dp_neighbours(dp_schema(age = dp_int(0, 120), sex = dp_levels("f", "m")), "add_remove", n = 3)
#' @export
dp_neighbours <- function(domain, relation = NULL, n = NULL, id = NULL, ...) {
  check_names(...)
  call <- environment()
  check_given("domain", call = call)
  choices <- c("replace", "add_remove", "unit")
  if (!is.null(relation)) check_choice(relation, choices)
  check_whole(n, min = 1, max = 1e6, null = TRUE)
  if (!is.null(id) && !is.character(id)) stop_argument("strings", describe(id), "id", call)
  declared <- audited_values(domain, call)
  relation <- relation %||% declared$relation
  n <- n %||% declared$n
  id <- id %||% declared$id
  if (relation == "unit" && length(id) == 0) {
    stop_argument("the columns that identify a person", "left out", "id", call)
  }
  pairs <- if (relation == "replace") {
    replaced_pairs(declared$columns, n)
  } else {
    added_pairs(declared$columns, n, if (relation == "unit") id, declared$caps)
  }
  if (isFALSE(declared$missing)) pairs <- Filter(Negate(has_missing), pairs)
  pairs <- lapply(pairs, function(pair) {
    pair$data <- lapply(pair$data, as_declared_data, declared, id)
    pair
  })
  new_neighbours(pairs, relation)
}

new_pair <- function(first, second, label) list(data = list(first, second), label = label)

new_neighbours <- function(pairs, relation) {
  structure(pairs, relation = relation, class = "dp_neighbours")
}

#' @rdname dp_neighbours
#' @export
format.dp_neighbours <- function(x, ...) {
  c(
    paste0("<dp_neighbours> ", length(x), " pairs", relation_in_words(attr(x, "relation"))),
    sprintf("%3d  %s", seq_along(x), vapply(unclass(x), `[[`, "", "label"))
  )
}

relation_in_words <- function(relation) {
  words <- c(
    replace = ": one replaced row", add_remove = ": one added row", unit = ": one added person"
  )
  if (is.null(relation)) "" else words[[relation]]
}

#' @rdname dp_neighbours
#' @export
print.dp_neighbours <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
`[.dp_neighbours` <- function(x, i) new_neighbours(unclass(x)[i], attr(x, "relation"))

#' @export
c.dp_neighbours <- function(...) {
  parts <- list(...)
  pairs <- unlist(lapply(parts, function(part) unclass(check_neighbours(part, NULL))),
    recursive = FALSE
  )
  new_neighbours(pairs, attr(parts[[1]], "relation"))
}

# Bounds alone do not declare missing values.
has_missing <- function(pair) anyNA(unlist(lapply(pair$data, `[[`, "all")))

# Pairs of the caller, or of the declared values.
check_neighbours <- function(x, call) {
  if (inherits(x, "dp_neighbours")) {
    return(x)
  }
  pairs <- is.list(x) && !is.data.frame(x) && length(x) > 0 &&
    all(vapply(x, function(pair) is.list(pair) && length(pair) == 2, NA))
  if (!pairs) {
    stop_argument("`dp_neighbours()`, or a list of pairs: `list(list(first, second))`",
      describe(x), "neighbours", call
    )
  }
  labels <- names(x) %||% rep("", length(x))
  labels[labels == ""] <- paste("your pair", seq_along(x))[labels == ""]
  new_neighbours(
    Map(function(pair, label) new_pair(pair[[1]], pair[[2]], label), unname(x), labels), NULL
  )
}

# Rows of all pairs are lists of positions: a number from 0 (lower bound) to 1 (upper bound), or NA
# for a missing value. A column turns positions into values.
corners <- c(L = 0, U = 1, M = 0.5, missing = NA)

bases_of_rows <- function(n) {
  half <- rep(0:1, c(ceiling(n / 2), floor(n / 2)))
  list(
    `all L` = rep(0, n), `all U` = rep(1, n), `all M` = rep(0.5, n), `half L, half U` = half,
    `half U, half L` = rev(half), `a ramp` = if (n > 1) seq(0, 1, length.out = n),
    `all L but one` = if (n > 2) c(rep(0, n - 1), 1),
    `all U but one` = if (n > 2) c(rep(1, n - 1), 0)
  )
}

# The first row of each base becomes another corner. Pairs that differ in the order of their
# datasets only are one pair.
replaced_pairs <- function(columns, n) {
  bases <- Filter(Negate(is.null), bases_of_rows(n))
  if (n == 1) bases <- bases[1:3]
  pairs <- list()
  for (base in names(bases)) {
    rows <- bases[[base]]
    for (corner in setdiff(names(corners), if (base %in% c("a ramp", "all M")) "M")) {
      other <- replace(rows, 1, corners[[corner]])
      if (identical(rows, other)) next
      label <- paste0(base, "; the first row becomes ", corner)
      pairs[[length(pairs) + 1]] <- new_pair(list(all = rows), list(all = other), label)
    }
  }
  typical <- c(
    "all L; the first row becomes U", "all L; the first row becomes M",
    "all L; the first row becomes missing", "all U; the first row becomes L",
    "all U; the first row becomes missing", "all M; the first row becomes L",
    "all M; the first row becomes U", "half L, half U; the first row becomes U",
    "half L, half U; the first row becomes missing", "half U, half L; the first row becomes L",
    "a ramp; the first row becomes U", "all L but one; the first row becomes U",
    "all U but one; the first row becomes L"
  )
  pairs <- Filter(function(pair) pair$label %in% typical, pairs)
  c(pairs, tie_pair(n), single_column_pairs(columns, n))
}

# Two neighbouring public points share the rows, so that one row makes the other point better.
tie_pair <- function(n) {
  if (n < 3) {
    return(NULL)
  }
  many <- floor(n / 2)
  rows <- c(rep("below", many), rep("above", n - many))
  list(new_pair(list(all = rows), list(all = replace(rows, 1, "above")),
    "half on each side of a public point; the first row moves to the other side"
  ))
}

# With several columns: one column changes, and the others stay at L.
single_column_pairs <- function(columns, n) {
  if (length(columns) < 2) {
    return(NULL)
  }
  unname(lapply(names(columns), function(name) {
    rows <- rep(0, n)
    new_pair(list(all = rows), stats::setNames(list(rows, replace(rows, 1, 1)), c("all", name)),
      paste0("all L; `", name, "` of the first row becomes U")
    )
  }))
}

# Adds one row, or all rows of one person: up to the largest number of rows of a person, and more.
added_pairs <- function(columns, n, id, caps) {
  bases <- bases_of_rows(n)[c("all L", "all U", "half L, half U")]
  bases <- c(list(`no rows` = numeric()), Filter(Negate(is.null), bases))
  rows_of_person <- if (is.null(id)) 1 else sort(unique(c(1, caps, 2 * max(1, caps))))
  pairs <- list()
  for (base in names(bases)) {
    for (corner in names(corners)) {
      for (rows in rows_of_person) {
        added <- c(bases[[base]], rep(corners[[corner]], rows))
        what <- if (rows == 1) "one row" else paste(rows, "rows of a person")
        pairs[[length(pairs) + 1]] <- new_pair(list(all = bases[[base]]), list(all = added),
          paste0(base, "; ", what, " of ", corner, " more")
        )
      }
    }
  }
  # One person in many groups.
  for (rows in rows_of_person[rows_of_person > 1]) {
    ramp <- seq(0, 1, length.out = rows)
    pairs[[length(pairs) + 1]] <- new_pair(list(all = numeric()), list(all = ramp),
      paste0("no rows; ", rows, " rows of a person, in a ramp, more")
    )
  }
  lapply(pairs, function(pair) {
    first <- length(pair$data[[1]]$all)
    pair$data[[1]]$people <- seq_len(first)
    pair$data[[2]]$people <- c(seq_len(first), rep(first + 1, length(pair$data[[2]]$all) - first))
    pair
  })
}

# Positions to data: a vector if there is one column without a name.
as_declared_data <- function(rows, declared, id) {
  columns <- declared$columns
  made <- lapply(names(columns), function(name) {
    columns[[name]](rows[[name]] %||% rows$all)
  })
  if (declared$vector) {
    return(made[[1]])
  }
  names(made) <- names(columns)
  others <- setdiff(id, names(columns))
  made[others] <- list(as.integer(rows$people %||% seq_along(rows$all)))
  if (length(intersect(id, names(columns)))) {
    made[intersect(id, names(columns))] <- list(as.integer(rows$people %||% seq_along(rows$all)))
  }
  structure(made, row.names = .set_row_names(length(rows$all)), class = "data.frame")
}
