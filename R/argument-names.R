# Argument names. R completes a name from its beginning, and `...` accepts any name. Exported
# functions reject both before they look at an argument.

# Raises an error if the caller was called with a partial or unknown argument name, or with anything
# in `...`. `hints` suggests a replacement for names that have a meaning in other packages.
# `ignored` lists names that R itself passes on and that have no effect here. `owner` is the call
# that errors name, if it differs from the caller's. `unnamed`: whether `...` takes columns, which
# have no names.
check_names <- function(..., hints = character(), ignored = character(), owner = NULL,
                        unnamed = FALSE) {
  frame <- sys.parent()
  call <- sys.call(frame)
  given <- names_in_call(call, sys.parents()[[frame]])
  known <- setdiff(names(formals(sys.function(frame))), "...")
  unknown <- setdiff(given, c(known, ignored, ""))
  if (length(unknown) > 0) stop_unknown(unknown[[1]], known, hints, owner %||% call)
  if (!unnamed && ...length() > sum(given %in% ignored)) stop_unnamed(known, owner %||% call)
}

# Arguments that data.frame() and as_tibble() pass to every as.data.frame() method.
of_data_frames <- c(
  "check.names", "col.names", "cut.names", "fix.empty.names", "make.names", "new.names", "nm",
  "stringsAsFactors"
)

# The names in the call, including those passed through the `...` of the calling frame.
names_in_call <- function(call, from) {
  args <- as.list(call)[-1]
  names <- names(args) %||% rep("", length(args))
  is_dots <- vapply(args, identical, NA, quote(...))
  if (!any(is_dots)) {
    return(names)
  }
  handed_on <- eval(quote(...names()), sys.frame(from))
  c(names[!is_dots], handed_on[!is.na(handed_on)])
}

# Rows of results have no names, because columns identify them.
refuse_row_names <- function(names, call = rlang::caller_env()) {
  if (!is.null(names)) stop_argument("NULL: rows are named in a column", "given", "row.names", call)
}

stop_unknown <- function(arg, known, hints = character(), call) {
  owner <- bare_call(call)
  # Errors show the generic's name if a method was called.
  owner <- sub("[.]dp_?[[:alpha:]_]+[(][)]$", "()", if (is.null(owner)) "" else deparse1(owner))
  owner <- if (nzchar(owner)) paste0("`", owner, "`") else "The function"
  instead <- as.list(hints)[[arg]] %||% hint_for_argument(arg, known) %||%
    nearest_arguments(arg, known)
  refuse_argument(paste0(owner, " has no argument `", arg, "`. ", instead), arg, call)
}

stop_unnamed <- function(known, call) {
  refuse_argument(
    paste0("Too many arguments without a name. Name them: ", arguments_by_name(known[-1]), "."),
    "...", call
  )
}

refuse_argument <- function(sentence, arg, call) {
  kind <- "invalid_argument"
  raise(sentence, kind, error_variants[[kind]], argument = arg, call = call)
}

# "Write `lower`.": suggests arguments that begin with `arg`, or else those spelt like it.
nearest_arguments <- function(arg, known) {
  near <- known[startsWith(known, arg)]
  if (length(near) == 0) {
    distances <- utils::adist(tolower(arg), tolower(known))[1, ]
    near <- known[distances <= max(2, nchar(arg) %/% 3) & distances < nchar(known)]
  }
  if (length(near) > 0) {
    return(paste0("Write ", arguments_by_name(near, "or"), "."))
  }
  if (length(known) == 0) {
    return("Leave out the name.")
  } else if (length(known) > 8) {
    return("The help page lists its arguments.")
  }
  paste0("It has ", arguments_by_name(known), ".")
}

arguments_by_name <- function(names, last = "and") {
  shown <- paste0("`", names, "`")
  if (length(shown) < 2) {
    return(shown)
  }
  paste(toString(shown[-length(shown)]), last, shown[[length(shown)]])
}
