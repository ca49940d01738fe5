# Work for several threads, on rows of every kind that R has and through every part of the core that
# starts threads. run.sh explains its use.
library(PSIlence)
enable_features("contrib")
set_threads(8)

rows <- 2^20 + 3 # enough for threads, and no round number
whole <- rep_len(1:1009, rows)
columns <- list(
  integer = whole,
  double = as.double(whole),
  logical = whole %% 3L == 0L,
  factor = factor(whole %% 11L),
  date = structure(as.double(whole), class = "Date"),
  date_of_integers = structure(whole, class = "Date"),
  integer64 = structure(as.double(whole) * 2^-1074, class = "integer64"),
  text = rep_len(c("17", "north", "3.5", NA, "\u00e9", "1e3"), rows),
  made_up = seq_len(rows),
  made_up_text = as.character(seq_len(rows))
)

atoms <- list(
  integer = "i32", double = "f64", logical = "bool", factor = "String", date = "f64",
  date_of_integers = "i32", integer64 = "i64", text = "String", made_up = "i32",
  made_up_text = "String"
)
space <- function(type) {
  atom <- if (type == "f64") atom_domain(.T = type, nan = TRUE) else atom_domain(.T = type)
  c(vector_domain(atom), symmetric_distance())
}
option_space <- function(type) {
  atom <- if (type == "f64") atom_domain(.T = type, nan = FALSE) else atom_domain(.T = type)
  c(vector_domain(option_domain(atom)), symmetric_distance())
}

for (kind in names(columns)) {
  type <- atoms[[kind]]
  nullable <- option_space(type) |> then_impute_constant(list(
    i32 = 1L, f64 = 1, bool = TRUE, String = "none", i64 = 1
  )[[type]])
  nullable(arg = columns[[kind]])
  from <- if (kind == "text") nullable else space(type)
  data <- columns[[kind]]
  runs <- list(
    from |> then_count(),
    if (type == "f64") from |> then_find_bin(c(10, 100)) else from |> then_count_by(),
    if (type == "f64") from |> then_cast("i32") else from |> then_count_distinct(),
    from |> then_cast(if (type == "f64") "String" else "f64"),
    from |> then_cast_default("String") |> then_count_distinct()
  )
  for (run in runs) run(arg = data)
}

# Steps that need a vector, text, or a known number of rows.
income <- as.double(whole)
table <- data.frame(income = income, region = columns$factor)
vectors <- c(vector_domain(atom_domain(.T = "i32"), size = rows), l1_distance(.T = "i32"))
grid <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE), size = 2^16), l2_distance("f64"))
laplace <- vectors |> then_laplace(scale = 10)
gaussian <- grid |> then_gaussian(scale = 10)
released <- list(laplace(arg = whole), gaussian(arg = income[seq_len(2^16)]))

lines <- paste0("a,", whole %% 100L, "\n", collapse = "")
sum_of_lines <- make_split_dataframe(",", c("name", "income")) |>
  then_select_column("income", .TOA = "String") |>
  then_cast("f64") |>
  then_impute_constant(20000) |>
  then_clamp(c(0, 750000)) |>
  then_lattice_sum()
total <- sum_of_lines(arg = lines)

plans <- list(
  dpMean("mechanismLaplace", "numeric", "income", n = rows, rng = c(0, 2000), epsilon = 1),
  dpVariance("mechanismLaplace", "numeric", "income", n = rows, rng = c(0, 2000), epsilon = 1),
  dpHistogram("numeric", "income", n = rows, rng = c(0, 2000), nBins = 20, epsilon = 1),
  dpHistogram("character", "region", n = rows, bins = as.character(0:10), epsilon = 1)
)
for (inner in c("mean", "median", "var")) {
  plans <- c(plans, dpSampleAndAggregate(
    innerFun = inner, aggregationFun = "Mean", numSubsets = 100, mechanism = "mechanismLaplace",
    varType = "numeric", variable = "income", n = rows, epsilon = 1, rng = c(0, 2000)
  ))
}
for (plan in plans) invisible(plan$release(table))
cat("No worker called R.\n")
