# How far are tables of dp_tables() from the truth, next to other methods on the same data?
#
#   Rscript benchmarks/tables.R
#
# Error of a set of tables: the mean over tables of sum |estimate - truth| / n. PUMS: the extract of
# the package, 10,000 rows, all 15 pairs of educ (16 cells), sex (2), age (16), income (16), married
# (2) and race (5); delta is 1e-9. The figures of others are from one machine, with noise in
# floating-point numbers: of a prototype (P) and of private-pgm 2.0.0 (mbi).
library(PSIlence)
enable_features("contrib")

delta <- 1e-9
releases <- 20

# The largest rho whose conversion is within epsilon.
rho_within <- function(epsilon) {
  space <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64"))
  converted <- function(rho) {
    one <- space |>
      then_gaussian(scale = sqrt(1 / (2 * rho))) |>
      then_zCDP_to_approxDP() |>
      then_fix_delta(delta = delta)
    one(d_in = 1)[[1]]
  }
  ends <- c(1e-8, 100)
  while (ends[[2]] / ends[[1]] > 1.0001) {
    middle <- sqrt(prod(ends))
    ends[[if (converted(middle) <= epsilon) 1 else 2]] <- middle
  }
  ends[[1]]
}

# The nearest table with cells from 0 on and the sum `total`.
on_simplex <- function(cells, total) {
  sorted <- sort(cells, decreasing = TRUE)
  shift <- (cumsum(sorted) - total) / seq_along(sorted)
  pmax(cells - shift[[max(which(sorted > shift), 1)]], 0)
}

# One of three groups, none of them, or several.
groups <- PUMS5extract10000[c("latino", "black", "asian")]
pums <- cbind(PUMS5extract10000, race = ifelse(rowSums(groups) > 1, 5,
  1 + drop(as.matrix(groups) %*% 1:3)
))
domain <- dp_domain(
  educ = dp_int(1, 16), sex = dp_levels(0, 1), age = dp_int(18, 93), income = dp_num(0, 750000),
  married = dp_levels(0, 1), race = dp_levels(1:5)
)
columns <- c("educ", "sex", "age", "income", "married", "race")
bins <- list(age = dp_breaks(16), income = dp_breaks(16, "log"))
people <- dp_tbl(dp_session(dp_zcdp(1e30)), pums, dp_unit(rows = 1), domain)
query <- dp_tables(people, dp_crosses(2, educ, sex, age, income, married, race), bins = bins)
truth <- release(query, rho = 1e24)

errors_of <- function(rho) {
  released <- release(query, rho = rho)
  pairs <- Filter(function(name) grepl(":", name, fixed = TRUE), names(released$counts))
  error <- function(name, change) {
    exact <- truth$counts[[name]]$estimate
    sum(abs(change(released$counts[[name]]$estimate) - exact)) / nrow(pums)
  }
  total <- max(released$rows, 0)
  c(
    unbiased = mean(vapply(pairs, error, 0, identity)),
    simplex = mean(vapply(pairs, error, 0, function(cells) on_simplex(cells, total))),
    single = mean(vapply(columns, error, 0, function(cells) on_simplex(cells, total)))
  )
}

others <- data.frame(
  epsilon = c(0.1, 1, 10), "P: each pair" = c(0.629, 0.107, 0.0143),
  "P: effects, simplex" = c(0.558, 0.092, 0.0123), "mbi: pairs" = c(NA, NA, 0.0142),
  "mbi: AIM" = c(0.266, 0.111, NA), check.names = FALSE
)
found <- t(vapply(others$epsilon, function(epsilon) {
  rowMeans(replicate(releases, errors_of(rho_within(epsilon))))
}, numeric(3)))
cat("Error of all pairs of PUMS, mean of", releases, "releases:\n")
print(cbind(others[1], signif(found, 3), others[-1]), row.names = FALSE)

seconds <- function(code) unname(system.time(code)[["elapsed"]])
cat("Seconds of one release of all pairs of PUMS:",
  signif(seconds(release(query, rho = 0.01)), 3), "\n")

wide <- as.data.frame(matrix(sample(10, 1e6, TRUE), 1e4))
names(wide) <- paste0("x", seq_along(wide))
declared <- do.call(dp_domain, stats::setNames(rep(list(dp_int(1, 10, missing = 1)), 100),
  names(wide)
))
built <- seconds({
  table <- dp_tbl(dp_session(dp_zcdp(1)), wide, dp_unit(rows = 1), declared)
  all_pairs <- dp_tables(table, dp_crosses(2))
})
ran <- seconds(release(all_pairs, rho = 0.1))
cat("100 columns of 10 cells, 10,000 rows, all 4,950 pairs: design", signif(built, 3),
  "s, release", signif(ran, 3), "s; bar: 60 s together\n")
