# Reads the outputs of summarise(): aggregates and arithmetic of them.

# Collects distinct aggregates and result columns. Hash tables keep the time linear in the number of
# columns.
read_outputs <- function(quos, x, call) {
  aggregates <- vector("list", length(quos))
  count <- 0
  places <- utils::hashtab()
  labels <- new.env(parent = emptyenv())
  values <- new.env(parent = emptyenv())
  all_calls <- 0
  place_of <- function(aggregate, label) {
    place <- utils::gethash(places, aggregate)
    if (is.null(place)) {
      label <- label()
      assign(label, TRUE, envir = labels)
      place <- count <<- count + 1
      aggregates[[place]] <<- c(list(name = label), aggregate)
      utils::sethash(places, aggregate, place)
    }
    place
  }
  read_one <- function(quo, name) {
    tried <- 0
    # An unused name.
    free_name <- function() {
      repeat {
        tried <<- tried + 1
        label <- paste0(name, ".", tried)
        if (!exists(label, envir = labels, inherits = FALSE)) {
          return(label)
        }
      }
    }
    read <- function(expr, env, scope) {
      if (!isTRUE(name_of_function(expr) %in% names(aggregate_kinds))) {
        return(refuse_aggregate(expr, env, scope))
      }
      aggregate <- read_aggregate(expr, env, x, call)
      label <- function() {
        taken <- exists(name, envir = labels, inherits = FALSE)
        if (is_whole_expression(quo, expr) && !taken) name else free_name()
      }
      place <- place_of(aggregate, label)
      column(aggregates[[place]]$name)
    }
    scope <- new_scope(character(), call, read)
    scope$outputs <- values
    before <- all_calls
    # An earlier column is inlined wherever it is used, so its calls count each time.
    scope$count <- function(calls) {
      all_calls <<- all_calls + calls
      if (all_calls > limit("parts_of_code")) stop_long_outputs(call)
    }
    scope$ids <- tbl_data(x)$unit$id
    value <- read_output(quo, scope, x)
    calls <- all_calls - before
    assign(name, list(value = value, calls = calls), envir = values)
    list(name = name, value = value)
  }
  outputs <- unname(Map(read_one, as.list(quos), names(quos)))
  aggregates <- aggregates[seq_len(count)]
  names(aggregates) <- vapply(aggregates, `[[`, "", "name")
  list(aggregates = aggregates, outputs = outputs)
}

is_whole_expression <- function(quo, expr) identical(rlang::quo_get_expr(quo), expr)

# Inlines earlier columns. Private columns raise an error.
read_output <- function(quo, scope, x) {
  open <- function(expr, env) {
    while (rlang::is_quosure(expr) || identical(name_of_function(expr), "(")) {
      if (rlang::is_quosure(expr)) env <- rlang::quo_get_env(expr)
      expr <- if (rlang::is_quosure(expr)) rlang::quo_get_expr(expr) else expr[[2]]
    }
    if (is.symbol(expr)) {
      name <- as.character(expr)
      earlier <- get0(name, envir = scope$outputs, inherits = FALSE)
      if (!is.null(earlier)) {
        scope$count(earlier$calls)
        return(list(value = earlier$value))
      }
      if (name %in% names(x)) stop_private_column(name, scope)
      return(list(value = read_symbol(name, env, new_scope(character(), scope$call))))
    }
    if (!is.call(expr)) {
      return(list(value = literal(expr, scope)))
    }
    fun <- name_of_function(expr)
    if (!isTRUE(fun %in% output_operators)) {
      return(list(value = scope$otherwise(expr, env, scope)))
    }
    check_operands(expr, scope)
    scope$count(1)
    args <- as.list(expr)[-1]
    if (fun == "-" && length(args) == 1) args <- list(0L, args[[1]])
    of_operator(fun, args, env)
  }
  expr <- rlang::quo_get_expr(quo)
  check_code(expr, scope$call)
  from_nested(list(expr = expr, env = rlang::quo_get_env(quo)),
    function(part) open(part$expr, part$env)
  )
}

stop_long_outputs <- function(call) {
  stop_query("unsupported",
    paste("The columns of a result must have at most", limit("parts_of_code"),
      "calls together, with earlier columns written out."),
    "Compute some of them after `release()`.", call
  )
}

# Operations on released numbers.
output_operators <- c("+", "-", "*", "/", "abs", "pmin", "pmax")

stop_private_column <- function(name, scope) {
  stop_query("unsupported", paste0("`", name, "` is not private."),
    paste0("Did you mean `dp_mean(", name, ")` or `dp_sum(", name, ")`?"), scope$call
  )
}

refuse_aggregate <- function(expr, env, scope) {
  fun <- name_of_function(expr) %||% "this"
  label <- label_of_call(expr)
  suggested <- hint_for_call(expr, aggregate_meanings)
  if (fun == "weighted.mean") suggested <- weighted_mean_of(expr)
  if (fun == "n_distinct" && counts_people(expr, scope$ids)) suggested <- "dp_n_ids()"
  hint <- if (fun %in% names(other_statistics)) {
    other_statistics[[fun]]
  } else if (is.null(suggested)) {
    paste0(
      "Inside `summarise()`, use ", listed(paste0(unique(names(aggregate_kinds)), "()")),
      ", combined with `+ - * /`. Use other functions after `release()`."
    )
  } else {
    paste0("Did you mean `", suggested, "`?")
  }
  stop_query("unsupported", paste0("`", label, "` is not private."), hint, scope$call)
}

# The private counterpart of weighted.mean(x, w).
weighted_mean_of <- function(expr) {
  args <- as.list(match.call(function(x, w, ...) NULL, expr))
  shown <- function(arg, otherwise) if (is.symbol(arg)) as.character(arg) else otherwise
  paste0("dp_mean(", shown(args$x, "x"), ", weights = ", shown(args$w, "w"), ")")
}

# Whether all arguments are id columns.
counts_people <- function(expr, ids) {
  args <- as.list(expr)[-1]
  length(args) > 0 && all(vapply(args, function(arg) is.symbol(arg) && format(arg) %in% ids, NA))
}
