# Sensitivity and noise of ranks, for quantiles.

# One replaced row moves each score by one. Scores can move in opposite directions, so it counts
# twice.
selection_factor <- 2

# Smallest share of the rows that, as a rank error of one quantile, reaches every rank.
least_hidden_rank <- function(probs) min(pmax(probs, 1 - probs))
