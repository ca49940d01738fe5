# Question: do intervals of linear models of private tables cover, how wide are they, and how close
# are estimates to the truth, next to dpLM()?
#
#   Rscript benchmarks/models-on-tables.R [releases]
#
# 5,000 patients have 1 to 20 stays. A cap keeps some stays of each at random. The reference is the
# model of capped rows, with each row at its probability to be kept: a stay of a patient with s
# stays has the weight min(1, cap / s). In one data set the number of stays has nothing to do with
# the outcome. In the other one, patients with many stays have longer stays, so a cap changes the
# reference. The noise is secret, and so no run is like another.
library(PSIlence)
suppressPackageStartupMessages(library(dplyr, warn.conflicts = FALSE))
options(width = 100)

releases <- as.numeric(c(commandArgs(TRUE), 1000)[[1]])
losses <- c(0.5, 1)
caps <- c(1, 4, 10, 20)
formula <- days ~ age + severity

# Coverage and width -------------------------------------------------------------------------------

made_stays <- function(informative) {
  set.seed(45)
  patients <- 5000
  stays <- sample(1:20, patients, TRUE)
  age <- sample(18:90, patients, TRUE)
  frailty <- rnorm(patients) + informative * (stays - 10.5) / 6
  patient <- rep(seq_len(patients), stays)
  data <- data.frame(patient, stays = stays[patient], age = age[patient])
  data$severity <- pmin(pmax(rnorm(nrow(data), 5, 2), 0), 10)
  days <- 3 + 0.05 * data$age + 0.8 * data$severity + 2 * frailty[patient] +
    informative * 0.3 * data$severity * (data$stays > 10) + rnorm(nrow(data), sd = 2)
  data$days <- pmin(pmax(days, 0), 30)
  data
}

domain <- dp_domain(days = dp_num(0, 30), age = dp_int(18, 90), severity = dp_num(0, 10))

# Standard errors of clusters, for a fit without privacy.
cluster_errors <- function(fit, cluster) {
  scores <- rowsum(model.matrix(fit) * residuals(fit), cluster)
  bread <- solve(crossprod(model.matrix(fit)))
  sqrt(diag(bread %*% crossprod(scores) %*% bread))
}

coverage_in_cell <- function(data, cap, epsilon) {
  data$kept <- pmin(1, cap / data$stays)
  reference <- coef(lm(formula, data, weights = kept))
  one_draw <- data[ave(runif(nrow(data)), data$patient, FUN = rank) <= cap, ]
  robust <- cluster_errors(lm(formula, one_draw), one_draw$patient)
  query <- dp_tbl(dp_session(dp_epsilon(1e6)), data, dp_unit(id = patient), domain) |>
    dp_truncate(max_rows = cap) |>
    dp_lm(formula)
  found <- replicate(releases, {
    model <- suppressWarnings(release(query, epsilon = epsilon))
    ends <- confint(model)
    cbind(ends[, 1] <= reference & reference <= ends[, 2], ends[, 2] - ends[, 1])
  })
  shares <- apply(found[, 1, ], 1, mean, na.rm = TRUE)
  widths <- apply(found[, 2, ], 1, median, na.rm = TRUE)
  data.frame(
    cap = cap, epsilon = epsilon, term = names(reference), reference = unname(reference),
    covered = unname(shares), width = unname(widths),
    without_privacy = unname(2 * qnorm(0.975) * robust),
    unknown = mean(is.na(found[1, 1, ]))
  )
}

for (informative in c(FALSE, TRUE)) {
  cat("\nNumber of stays ", if (informative) "is informative" else "has nothing to do with it",
    ", ", releases, " releases per cell\n", sep = "")
  data <- made_stays(informative)
  cells <- expand.grid(cap = caps, epsilon = losses)
  table <- do.call(rbind, Map(function(cap, epsilon) coverage_in_cell(data, cap, epsilon),
    cells$cap, cells$epsilon
  ))
  table$ratio <- table$width / table$without_privacy
  print(format(table, digits = 3), row.names = FALSE)
  cat("least coverage: ", min(table$covered), "; wanted 0.92\n", sep = "")
}

# dp_lm() beside dpLM() ----------------------------------------------------------------------------

# The cells of utility.R: the slope of educ, of made-up rows and of the census extract.
set.seed(1)
n <- 1e4
age <- sample(18:90, n, TRUE)
educ <- sample(1:16, n, TRUE, prob = dnorm(1:16, 10, 3.4))
income <- pmin(exp(8 + 0.12 * educ + 0.006 * age + rnorm(n)), 750000)
sets <- list(
  `made-up rows` = data.frame(income, age, educ),
  `census extract` = transform(PUMS5extract10000[c("income", "age", "educ")],
    income = pmin(pmax(income, 0), 750000)
  )
)
ranges <- list(c(0, 750000), c(18, 93), c(1, 16))
census <- dp_domain(income = dp_num(0, 750000), age = dp_int(18, 93), educ = dp_int(1, 16))

error_of <- function(once, truth) {
  sqrt(mean((replicate(max(releases, 1000), suppressWarnings(once())) - truth)^2))
}

cat("\nRoot mean squared error of the slope of educ, income ~ age + educ\n")
rows <- lapply(names(sets), function(name) {
  data <- sets[[name]]
  truth <- coef(lm(income ~ age + educ, data))[["educ"]]
  do.call(rbind, lapply(c(0.1, 0.5, 1, 5), function(epsilon) {
    plan <- suppressWarnings(dpLM(income ~ age + educ, n, ranges, epsilon))
    query <- dp_tbl(dp_session(dp_epsilon(1e6)), data, dp_unit(rows = 1), census) |>
      dp_lm(income ~ age + educ)
    of_frame <- error_of(function() coef(plan$release(data))[["educ"]], truth)
    of_table <- error_of(function() coef(release(query, epsilon = epsilon))[["educ"]], truth)
    data.frame(rows = name, epsilon, dpLM = of_frame, dp_lm = of_table, ratio = of_table / of_frame)
  }))
})
print(format(do.call(rbind, rows), digits = 3), row.names = FALSE)
cat("wanted: a ratio of at most 1.05\n")
