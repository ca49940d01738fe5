# Verbs that select, rename, move and group columns, and their checks.

# nolint start: object_name_linter.
#' @rdname dp_verbs
#' @exportS3Method dplyr::select
select.dp_tbl <- function(.data, ...) {
  call <- environment()
  chosen <- chosen_columns(rlang::expr(c(...)), .data, call, call)
  old <- names(.data)[chosen]
  groups <- setdiff(tbl_data(.data)$groups, old)
  if (length(groups) > 0) {
    rlang::inform(paste0("Adding missing grouping variables: ", toString(quoted(groups))))
  }
  selected(.data, c(groups, old), c(groups, names(chosen)), call)
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::rename
rename.dp_tbl <- function(.data, ...) {
  call <- environment()
  chosen <- renamed_columns(rlang::expr(c(...)), .data, call, call)
  new <- names(.data)
  new[chosen] <- names(chosen)
  selected(.data, names(.data), new, call)
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::relocate
relocate.dp_tbl <- function(.data, ..., .before = NULL, .after = NULL) {
  call <- environment()
  moved <- chosen_columns(rlang::expr(c(...)), .data, call, call)
  old <- names(.data)[moved]
  .data <- relocated(.data, moved, rlang::enquo(.before), rlang::enquo(.after), call)
  new <- replace(names(.data), match(old, names(.data)), names(moved))
  selected(.data, names(.data), new, call)
}

# Moves the columns at positions `moved` before or after others, by default to the front, or to the
# back if `last`. The order of columns affects only printing.
relocated <- function(x, moved, before, after, call, last = FALSE) {
  rest <- setdiff(seq_along(names(x)), moved)
  place <- if (last) length(rest) else 0
  if (!rlang::quo_is_null(before) && !rlang::quo_is_null(after)) {
    stop_argument("left out if `.before` is given", "given", ".after", call)
  } else if (!rlang::quo_is_null(before)) {
    place <- sum(rest < min(chosen_columns(before, x, call)))
  } else if (!rlang::quo_is_null(after)) {
    place <- sum(rest <= max(chosen_columns(after, x, call)))
  }
  with_tbl_data(x, columns = names(x)[append(rest, moved, place)])
}

# Keeps the columns `old` under the names `new`. Adds no step if nothing changes.
selected <- function(x, old, new, call) {
  check_new_columns(setdiff(new, old), call)
  if (anyDuplicated(new) > 0) {
    stop_query("unsupported", "Two columns would have the same name.", call = call)
  }
  if (setequal(old, names(x)) && identical(old, new)) {
    return(with_tbl_data(x, columns = new))
  }
  check_ids_stay(x, old, new, call)
  groups <- new[match(tbl_data(x)$groups, old)]
  step <- list(step = "select", columns = old, names = new)
  add_step(x, step, columns = new, groups = groups, call = call)
}

# A query needs its id columns until a step limits the rows of each person.
check_ids_stay <- function(x, old, new, call) {
  table <- tbl_data(x)
  ids <- table$unit$id
  renamed <- intersect(ids, old[old != new])
  if (length(renamed) > 0) {
    stop_query("unsupported",
      paste0(listed(renamed), " identifies people, so it cannot be renamed."),
      "Rename the column in the data, before `dp_tbl()`.", call
    )
  }
  lost <- setdiff(ids, old)
  is_limited <- vapply(table$steps, function(step) step$step %in% c("truncate", "per_unit"), NA)
  if (length(lost) > 0 && !any(is_limited)) {
    keep <- if (all(lost %in% names(x))) "keep it." else "declare it in `dp_domain()`."
    stop_query("unsupported",
      paste0("This verb would drop ", listed(lost), ", which identifies people."),
      paste("Write `dp_truncate()` or `dp_per_unit()` first, or", keep), call
    )
  }
}

# Positions of the columns that a tidyselect expression selects, by name. `env` has its dots.
chosen_columns <- function(expr, x, call, env = rlang::empty_env()) {
  from_tidyselect(tidyselect::eval_select(expr, prototype_of(x), env), x, call)
}

renamed_columns <- function(expr, x, call, env) {
  from_tidyselect(tidyselect::eval_rename(expr, prototype_of(x), env), x, call)
}

from_tidyselect <- function(expr, x, call) {
  or_else(expr, function(error) {
    missing <- if (is_string(error$i)) error$i else ""
    if (missing %in% tbl_data(x)$unit$id) {
      stop_query("domain", paste0(quoted(missing), " is not declared, so it cannot be selected."),
        "Declare it in `dp_domain()`, with its own name.", call
      )
    }
    stop_query("domain", paste0("These columns cannot be selected: ", reason_of(error), "."),
      hint_for_column(missing, names(x), paste0("Declared: ", toString(names(x)), ".")), call
    )
  })
}

# The reason in a tidyselect error, which contains only column names and types. It is the first
# line, or the first bullet if there is one.
reason_of <- function(error) {
  lines <- strsplit(cli::ansi_strip(conditionMessage(error)), "\n", fixed = TRUE)[[1]]
  bullet <- "^[xi!*\u2716\u2139\u2022] "
  bullets <- grep(bullet, lines, value = TRUE)
  reason <- if (length(bullets) > 0) sub(bullet, "", bullets[[1]]) else lines[[1]]
  sub("[.]$", "", reason)
}

# Empty columns of the right types, for `where()`.
prototype_of <- function(x) {
  fields <- tbl_data(x)$fields
  types <- vapply(fields, `[[`, "", "type")
  columns <- lapply(types[names(x)], function(type) {
    switch(type,
      logical = logical(), integer = integer(), real = double(), text = character(),
      levels = factor(character()), date = as.Date(double(), "1970-01-01"), logical()
    )
  })
  structure(stats::setNames(columns, names(x)), row.names = integer(), class = "data.frame")
}
# nolint end
