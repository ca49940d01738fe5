# Question: is each estimate at least as accurate as its noisy numbers, and within its interval?
#
#   Rscript benchmarks/postprocessing.R [releases]
#
# A line for each estimate that differs from the noisy number: the root of the mean squared error of
# both, over all cells and `releases` releases, and their ratio. Tables of few cells have ten times
# the releases. `cover.05` and `cover.3` are the coverage of intervals at alpha 0.05 and 0.3, over
# the cells with rows. `inside` is the proportion of estimates within their intervals. The noise is
# secret, so every run is different.
library(PSIlence)
options(width = 120)

releases <- as.numeric(c(commandArgs(TRUE), 200)[[1]])
quiet <- function(plan) suppressWarnings(plan)
rows_of <- function(counts) rep(seq_along(counts), counts)
rmse <- function(errors) sqrt(mean(errors^2))
lines <- list()

# `read(result)` gives list(estimate, noisy, low, high), for the true numbers `exact`.
compare <- function(what, plans, data, exact, read) {
  runs <- releases * if (length(exact) < 10) 10 else 1
  found <- lapply(plans, function(plan) {
    replicate(runs, unlist(read(plan$release(data))[c("estimate", "noisy", "low", "high")]),
      simplify = FALSE)
  })
  part <- function(runs, name) {
    vapply(runs, function(run) unname(run[grepl(paste0("^", name), names(run))]), exact + 0)
  }
  both <- function(name) do.call(cbind, lapply(found, part, name))
  wide <- function(x) matrix(x, length(exact))
  estimate <- wide(both("estimate"))
  noisy <- wide(both("noisy"))
  line <- data.frame(
    estimate = what, noisy = rmse(noisy - exact), own = rmse(estimate - exact),
    cover.05 = NA, cover.3 = NA, inside = NA
  )
  if (any(grepl("^low", names(found[[1]][[1]])))) {
    cover <- vapply(found, function(runs) {
      hits <- wide(part(runs, "low")) <= exact & exact <= wide(part(runs, "high"))
      mean(hits[exact > 0, ])
    }, 0)
    line[c("cover.05", "cover.3")] <- cover
    line$inside <- mean(wide(both("low")) <= estimate & estimate <= wide(both("high")))
  }
  line$ratio <- line$own / line$noisy
  lines <<- c(lines, list(line))
}

tables <- list(
  `one large cell of 100` = c(900, 100, rep(0, 98)),
  `6 cells` = c(188, 62, 50, 40, 35, 25),
  `1000 cells of a power law` = as.vector(table(cut(
    PUMS5extract10000$income, c(-Inf, seq(750, 749250, 750), Inf)
  )))
)
sides <- list(c(10, 10), c(2, 3), c(25, 40))
for (i in seq_along(tables)) {
  counts <- tables[[i]]
  n <- sum(counts)
  texts <- paste0("c", seq_along(counts))
  place <- rows_of(counts) - 1
  data <- data.frame(
    g = texts[place + 1], a = place %% sides[[i]][[1]], b = place %/% sides[[i]][[1]]
  )
  histogram <- function(...) {
    lapply(c(0.05, 0.3), function(alpha) {
      quiet(dpHistogram("character", "g", n, bins = texts, alpha = alpha, ...))
    })
  }
  of_histogram <- function(result) {
    table <- as.data.frame(result)
    list(estimate = table$estimate, noisy = unlist(result$counts), low = table$conf.low,
      high = table$conf.high)
  }
  of_table <- function(result) {
    table <- as.data.frame(result)
    list(estimate = table$estimate, noisy = result$release$count, low = table$conf.low,
      high = table$conf.high)
  }
  levels <- lapply(sides[[i]], function(side) seq_len(side) - 1)
  name <- names(tables)[[i]]
  compare(paste("dpHistogram,", name), histogram(epsilon = 0.5), data, counts, of_histogram)
  compare(paste("dpHistogram, Gaussian,", name), histogram(rho = 0.1), data, counts, of_histogram)
  compare(paste("dpContingency,", name), lapply(c(0.05, 0.3), function(alpha) {
    quiet(dpContingency(c("a", "b"), levels, n = n, epsilon = 0.5, alpha = alpha))
  }), data, counts, of_table)
  compare(paste("dpHistogram, herfindahl,", name), histogram(epsilon = 0.5)[1], data,
    sum((counts / n)^2), function(result) {
      list(estimate = result$herfindahl, noisy = sum((unlist(result$counts) / n)^2))
    })
}

# Margins: 50 cells of 100 rows in one level of a, and 950 empty ones.
counts <- replace(numeric(1000), 1 + 10 * (0:49), 100)
place <- rows_of(counts) - 1
data <- data.frame(a = place %% 10, b = place %/% 10)
for (sets in list(list("a", "b"), list("a", c("a", "b")))) {
  plans <- lapply(c(0.05, 0.3), function(alpha) {
    quiet(dpContingency(c("a", "b"), list(0:9, 0:99), sets, n = 5000, epsilon = 1, alpha = alpha))
  })
  for (m in seq_along(sets)) {
    exact <- as.vector(table(lapply(sets[[m]], function(name) {
      factor(data[[name]], if (name == "a") 0:9 else 0:99)
    })))
    first <- c(0, cumsum(c(if (identical(sets[[1]], "a")) 10, 100)))[[m]]
    name <- vapply(sets, paste, "", collapse = ":")
    compare(paste0("dpContingency, margin ", name[[m]], " of ", toString(name)), plans, data, exact,
      function(result) {
        at <- first + seq_along(exact)
        table <- as.data.frame(result)[at, ]
        list(estimate = table$estimate, noisy = result$release[[m]]$count, low = table$conf.low,
          high = table$conf.high)
      })
  }
}

# Trees: leaves, and what lies below each edge of them.
for (missing in c("impute", "drop")) {
  tree <- quiet(dpTree(variable = "age", n = 10000, depth = 6, rng = c(0, 128), epsilon = 1,
    missing = missing))
  leaves <- as.vector(table(cut(PUMS5extract10000$age, seq(0, 128, 2), right = FALSE)))
  compare(paste0("dpTree, leaves, missing = \"", missing, "\""), list(tree), PUMS5extract10000,
    leaves, function(result) {
      list(estimate = result$tree[[7]], noisy = unname(result$release[[7]]))
    })
  compare(paste0("dpTree, cdf, missing = \"", missing, "\""), list(tree), PUMS5extract10000,
    cumsum(leaves) / 10000, function(result) {
      list(estimate = result$cdf$cdf[-1], noisy = cumsum(unname(result$release[[7]])) / 10000)
    })
}

# Numbers that bounds, or the parts that they are computed of, hold.
compare("dpHistogram, mean of a logical column", list(
  dpHistogram(varType = "logical", variable = "married", n = 10000, epsilon = 0.05)
), PUMS5extract10000, mean(PUMS5extract10000$married), function(result) {
  noisy <- unlist(result$counts)
  list(estimate = result$mean, noisy = noisy[[2]] / (noisy[[1]] + noisy[[2]]))
})
few <- data.frame(x = rep(c(0, 1), c(198, 2)))
compare("dpVariance, std, of little variance", list(
  quiet(dpVariance(variable = "x", n = 200, rng = c(0, 10), epsilon = 1))
), few, stats::sd(few$x), function(result) {
  list(estimate = result$std, noisy = sign(result$release) * sqrt(abs(result$release)))
})

all <- do.call(rbind, lines)
print(all[c("estimate", "noisy", "own", "ratio", "cover.05", "cover.3", "inside")], digits = 3,
  row.names = FALSE, right = FALSE)
names <- names(tables)
ratio <- vapply(names, function(name) {
  own <- function(class) all$own[all$estimate == paste0(class, ", ", name)]
  own("dpHistogram") / own("dpContingency")
}, 0)
cat("\nRMSE of dpHistogram over that of dpContingency, same cells and loss:\n")
print(ratio, digits = 3)
cat("\nlargest ratio to the noisy numbers: ", format(max(all$ratio), digits = 3), "\n", sep = "")
