# Choices of arguments of statistics.

statistic_mechanisms <- "mechanismLaplace"
snapping_mechanisms <- c(statistic_mechanisms, "mechanismSnapping")
gaussian_mechanism <- "mechanismGaussian"
additive_mechanisms <- c(statistic_mechanisms, gaussian_mechanism)
statistic_types <- c("numeric", "integer", "logical")
missing_rules <- c("drop", "impute")
contrast_names <- c("treatment", "sum")
vcov_names <- c("classical", "sandwich")

# Rules for data whose number of rows differs from the public `n`.
row_checks <- c("error", "resize")

cell_sides <- c("left", "right")

conversions <- c("round", "truncate")

# Assumptions of population intervals about columns: any law within the bounds, or a normal one.
column_laws <- c("any", "normal")

inference_names <- c("onestep", "none", "parts")
