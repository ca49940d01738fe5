# The moments of model columns as aggregates of a query, and as the numbers that estimators take.
#
# With u_0 = 1 and the model columns u_1, ..., u_P, the moments are the sums of u_i u_j. A product
# of columns is a product of numbers in a cell. Some products are always 0 (two levels of one
# factor), and some are equal (an indicator and its square). Each product is measured once, see
# src/core/query/aggregates/moment.cpp. All products with the same numbers and the same factors are
# one aggregate, because a row is in one of its cells.

count_of_rows <- "(rows)"

# Adds the moments of `columns` to a table and returns a query. `model` describes its result, and
# has the name of the weights in `weights`, if rows have weights.
model_query <- function(x, columns, model, call) {
  for (column in columns) x <- with_product(x, column$numbers, call)
  complete <- name_of_complete(x)
  weights <- model$weights
  gaps <- lacking_variables(x, c(variables_of_columns(columns), weights))
  x <- with_complete_rows(x, gaps, complete, call)
  moments <- moments_of_columns(columns)
  aggregates <- lapply(stats::setNames(nm = names(moments$shapes)), function(name) {
    moment_aggregate(name, moments$shapes[[name]], if (length(gaps) > 0) complete, weights)
  })
  outputs <- unname(lapply(names(aggregates), function(name) {
    list(name = name, value = column(name))
  }))
  model <- c(model, list(columns = columns, places = moments$places, shapes = moments$shapes,
    fields = fields_of(x)
  ))
  query <- list(table = x, by = tbl_data(x)$groups, aggregates = aggregates, outputs = outputs,
    keys = tbl_data(x)$keys, model = model
  )
  query <- structure(query, class = c("dp_model_query", "dp_query", "dp_private"))
  warn_of_unweighted(query, call)
  checked_query(query, call)
}

# A product of several numbers is a column, whose bounds follow from theirs.
with_product <- function(x, numbers, call) {
  if (length(numbers) < 2) {
    return(x)
  }
  value <- Reduce(function(a, b) operation("*", a, b), lapply(numbers, column))
  step <- list(step = "mutate", name = name_of_product(numbers), value = value)
  with_step_checked(x, step, call)
}

name_of_product <- function(numbers) paste(numbers, collapse = ":")

# The variables that rows can lack.
lacking_variables <- function(x, variables) {
  Filter(function(name) isTRUE(fields_of(x)[[name]]$may_be_missing), unique(variables))
}

# Adds the column that says whether a row has a value of each variable. Moments of one model are of
# the same rows. A filter would do the same, but engines could not cap rows with real numbers
# before it.
with_complete_rows <- function(x, gaps, name, call) {
  if (length(gaps) == 0) {
    return(x)
  }
  present <- lapply(gaps, function(gap) operation("!", operation("is.na", column(gap))))
  value <- Reduce(function(a, b) operation("&", a, b), present)
  with_step_checked(x, list(step = "mutate", name = name, value = value), call)
}

name_of_complete <- function(x) {
  name <- ".complete"
  while (name %in% names(tbl_data(x)$fields)) name <- paste0(".", name)
  name
}

with_step_checked <- function(x, step, call) {
  columns <- union(names(x), step[["name"]])
  checked_table(
    with_tbl_data(x, steps = c(tbl_data(x)$steps, list(step)), columns = columns), call
  )
}

# Returns list(shapes, places). A shape is list(numbers, factors). `places` has for each pair of
# columns, and the constant 0, the shape and the level of each factor. NULL for a product of 0.
moments_of_columns <- function(columns) {
  shapes <- stats::setNames(list(list(numbers = character(), factors = character())), count_of_rows)
  parts <- c(list(model_column("")), columns)
  places <- lapply(parts, function(a) {
    lapply(parts, function(b) product_of_model_columns(a, b))
  })
  for (place in unlist(places, recursive = FALSE)) {
    if (!is.null(place)) {
      shapes[[place$shape]] <- list(numbers = place$numbers, factors = names(place$cells))
    }
  }
  list(shapes = shapes, places = places)
}

product_of_model_columns <- function(a, b) {
  both <- intersect(names(a$cells), names(b$cells))
  if (any(a$cells[both] != b$cells[both])) {
    return(NULL)
  }
  numbers <- sort(c(character(), one_number(a), one_number(b)), method = "radix")
  cells <- by_own_name(c(a$cells, b$cells[setdiff(names(b$cells), both)]))
  shape <- paste(numbers, collapse = " * ")
  if (length(cells) > 0) {
    shape <- paste0(if (nzchar(shape)) shape else "rows", " in ",
      paste(names(cells), collapse = " and ")
    )
  }
  list(shape = if (nzchar(shape)) shape else count_of_rows, numbers = numbers, cells = cells)
}

by_own_name <- function(cells) cells[order(as.character(names(cells)), method = "radix")]

one_number <- function(column) if (length(column$numbers) > 0) name_of_product(column$numbers)

# Squares and the count have half the share of other moments, see joint_moments.h.
# `complete`: the column of complete rows, if rows can have gaps.
moment_aggregate <- function(name, shape, complete, weights) {
  numbers <- lapply(shape$numbers, column)
  cells <- lapply(c(complete, shape$factors), column)
  is_square <- length(numbers) == 2 && shape$numbers[[1]] == shape$numbers[[2]]
  plain <- length(shape$factors) == 0
  list(
    name = name, fun = if (length(c(numbers, cells)) == 0) "count" else "moment",
    of = if (length(numbers) > 0) numbers[[1]], times = if (length(numbers) > 1) numbers[[2]],
    cells = if (length(cells) > 0) cells, bounds = NULL,
    weight = if (plain && (is_square || length(numbers) == 0)) 0.5 else 1,
    scale = NULL, accuracy = NULL, probabilities = NULL, grid = NULL, method = "automatic",
    weights = if (!is.null(weights)) column(weights), up_to = NULL
  )
}

# Levels of a factor that have an indicator, in the order of the core.
coded_levels <- function(field) if (field$type == "logical") "TRUE" else field$levels[-1]

# Labels of the cells of a shape: the last factor varies fastest.
labels_of_cells <- function(factors, fields) {
  levels <- lapply(fields[factors], coded_levels)
  table <- rev(expand.grid(rev(levels), stringsAsFactors = FALSE))
  do.call(paste, c(unname(table), sep = ":"))
}

# Moments of one group in the form of joint_found(): of u, with the standard deviations of their
# noise as the scales of Laplace noise. `tidy` has the released numbers of this group. A row with a
# weight counts by its share of the largest weight, so that no row counts more than once.
found_in_group <- function(tidy, model, normal) {
  columns <- model$columns
  units <- units_of_columns(columns, model$fields)
  heaviest <- heaviest_row(model)
  size <- length(columns) + 1
  values <- deviations <- ids <- matrix(0, size, size)
  numbers <- split(tidy, tidy$column)
  for (i in seq_len(size)) {
    for (j in seq_len(size)) {
      place <- model$places[[i]][[j]]
      if (is.null(place)) next
      rows <- numbers[[place$shape]]
      cell <- if (length(place$cells) == 0) 1 else match(
        paste(place$cells, collapse = ":"), labels_of_cells(names(place$cells), model$fields)
      )
      unit <- heaviest * prod(units$of_numbers[place$numbers])
      values[i, j] <- rows$estimate[[cell]] / unit
      deviations[i, j] <- rows$std.error[[cell]] / unit
      ids[i, j] <- match(place$shape, names(model$shapes)) * 1e6 + cell
    }
  }
  pairs <- triangle(length(columns))
  inner <- cbind(pairs$first, pairs$second) + 1
  count <- numbers[[count_of_rows]]
  list(
    count = max(values[1, 1], 0), sums = values[1, -1], products = values[inner], pairs = pairs,
    half = units$half, middle = units$middle, mixed = units$mixed, shared = ids,
    scales = list(
      count = deviations[1, 1] / sqrt(2), sums = deviations[1, -1] / sqrt(2),
      products = deviations[inner] / sqrt(2), normal = normal
    ),
    counts = c(count$conf.low, count$conf.high) / heaviest,
    lost = if (is.null(model$weights)) 1 else 0,
    enough = isTRUE(count$conf.low >= 2 * heaviest) && all(is.finite(values))
  )
}
