# Chains that select a quantile among candidates.

# If gaps are dropped, keeps the rows with a value. Their number is not known.
then_ranked <- function(lhs, args) {
  if (!drops_missing(args)) {
    return(lhs |> then_metric_unbounded())
  }
  if (args$varType != "numeric") lhs <- lhs |> then_cast(.TOA = "i64")
  lhs |>
    then_metric_unbounded() |>
    then_drop_null() |>
    then_clamp(bounds = args$rng)
}

# Selects one candidate, such that a protected row costs at most `epsilon`.
then_select_quantile <- function(lhs, candidates, prob, epsilon) {
  calibrated("make_private_quantile", lhs, max_divergence(), candidates, prob, least,
    d_in = protected_rows, loss = epsilon
  )
}

# Places of the candidates nearest to the rows. A place after the last one holds missing values.
then_nearest <- function(lhs, args, candidates) {
  lhs |>
    then_doubles(args) |>
    then_cell(args, halves_between(candidates))
}

# Selects among such places, where the rows of one place have several ranks.
then_select_nearest <- function(lhs, candidates, prob, epsilon) {
  calibrated("private_quantile_of_cells", lhs, max_divergence(), candidates, prob, least,
    d_in = protected_rows, loss = epsilon
  )
}
