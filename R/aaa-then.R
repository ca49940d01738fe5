# then_*: the pipe brings a metric space, a transformation or a measurement, and the constructor
# that the name ends in adds the next step.

#' Make a `then_*` function from a constructor
#'
#' Gives your own constructor the form that the pipe wants: its first two arguments, the input
#' domain and the input metric, are taken from what stands on the left of `|>`.
#'
#' @param constructor (`function`) Its first two arguments are `input_domain` and `input_metric`; it
#'   returns a [transformation or measurement][framework_objects].
#' @returns (`function`) With the arguments `lhs` and what remains of those of `constructor`.
#' @section Errors: `dp_error_invalid_argument` if the first two arguments have other names.
#' @examples
#' enable_features("contrib")
#' make_clamped_sum <- function(input_domain, input_metric, bounds) {
#'   c(input_domain, input_metric) |> then_clamp(bounds) |> then_sum()
#' }
#' then_clamped_sum <- to_then(make_clamped_sum)
#' c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_clamped_sum(bounds = c(0L, 10L))
#' @export
to_then <- function(constructor) {
  if (!identical(names(formals(constructor))[1:2], c("input_domain", "input_metric"))) {
    stop_dp(
      "the first two arguments of the constructor must be input_domain and input_metric",
      "invalid_argument",
      argument = "constructor"
    )
  }
  then_from(constructor, takes_space = TRUE, name = substitute(constructor))
}

# The then_* form of a constructor that takes no input space: all its arguments follow `lhs`.
to_then_fixed <- function(constructor) {
  then_from(constructor, takes_space = FALSE, name = substitute(constructor))
}

# A function with the remaining arguments of `constructor`, so that its usage, its defaults and its
# completion are those of the constructor and cannot drift from them. A constructor called make_* is
# called by that `name`, which is the one that errors show.
then_from <- function(constructor, takes_space, name = substitute(constructor)) {
  if (!is.symbol(name) || !startsWith(as.character(name), "make_")) name <- quote(constructor)
  arguments <- formals(constructor)
  if (takes_space) arguments <- arguments[-(1:2)]
  passed <- lapply(stats::setNames(nm = names(arguments)), as.symbol)
  space <- if (takes_space) alist(space[[1]], space[[2]])
  call <- as.call(c(name, space, passed))
  body <- if (takes_space) {
    bquote({
      space <- output_space(lhs)
      chain(lhs, .(call))
    })
  } else {
    bquote(chain(lhs, .(call)))
  }
  env <- new.env(parent = topenv(environment()))
  assign(as.character(name), constructor, env)
  as_function(c(alist(lhs = ), arguments), body, env) # nolint: spaces_inside_linter.
}

as_function <- function(formals, body, env) {
  as.function(c(formals, body), envir = env)
}
