# What to write instead of a name that does not exist here. Each hint goes by what the name means in
# R, in dplyr or in another library for private data, never by its spelling alone. test-hints.R runs
# the code of each hint, and compares the result with what the name means.

# Arguments of statistics, sessions and queries, under names that others give them. The first of the
# names on the right that the function has is suggested.
argument_meanings <- list(
  bounds = c("rng", "bounds"), breaks = c("bins", "breaks"),
  clamp = c("rng", "bounds"), column = c("variable", "columns", "variables"),
  cols = c("columns", "variables", "variable"), columns = c("columns", "variables", "variable"),
  eps = c("epsilon", "globalEps"), family = "objective", limits = c("rng", "bounds"),
  lower = c("rng", "bounds"), nrow = "n", range = c("rng", "bounds"),
  ranges = c("rng", "bounds"), sigma = "scale", size = "n",
  upper = c("rng", "bounds"), variable = c("variable", "variables", "columns"),
  variables = c("variables", "columns", "variable"), vars = c("variables", "columns", "variable"),
  x = c("variable", "variables", "columns")
)

# What is said of a name if its value has another form here.
argument_forms <- list(
  family = "For binomial data write `objective = \"logit\"`, for counts `objective = \"poisson\"`.",
  lower = "Write `%s = c(lower, upper)`.", upper = "Write `%s = c(lower, upper)`.",
  conf.level = "Write `alpha`, which is 1 minus the level.",
  data = "Give the data to `$release(data)`."
)

# "Write `rng`.", or NULL for a name that has no meaning here.
hint_for_argument <- function(arg, known) {
  meant <- intersect(c(argument_meanings[[arg]], c(conf.level = "alpha", data = "n")[arg]), known)
  if (length(meant) == 0) {
    return(NULL)
  }
  form <- argument_forms[[arg]] %||% "Write `%s`."
  gsub("%s", meant[[1]], form, fixed = TRUE)
}
