test_that("verbs that show, order or mix rows raise an error with an alternative", {
  local_verbs()
  table <- people_to_plan()
  expect_snapshot(error = TRUE, {
    collect(table)
    compute(table)
    pull(table, age)
    as.data.frame(table)
    tibble::as_tibble(table)
    as.list(table)
    table$age
    table[["age"]]
    table[1:2, ]
    table$age <- 1
    head(table)
    tail(table)
    slice(table, 1)
    slice_head(table, n = 1)
    slice_max(table, age)
    slice_sample(table, n = 1)
    arrange(table, age)
    distinct(table, region)
    unique(table)
    dplyr::union(table, table)
    merge(table, table)
    full_join(table, data.frame(age = 1), by = "age")
    add_count(table)
    rowwise(table)
    do(table, head(.))
    group_split(table)
    mean(table)
    median(table)
    sum(table)
    range(table)
    round(table)
    table + 1
    lapply(table, mean)
    sapply(table, mean)
    with(table, age)
    subset(table, age > 1)
    n_groups(table)
    quantile(table)
    plot(table)
    hist(table)
    ggplot2::ggplot(table)
    rename_with(table, toupper)
    names(table) <- letters[1:3]
    tidyr::pivot_longer(table, age)
    tidyr::pivot_wider(table, names_from = region)
    tidyr::fill(table, age)
    tidyr::complete(table, region)
    tidyr::nest(table)
    tidyr::unite(table, "both", region)
    tidyr::uncount(table, age)
  })
})

test_that("verbs cannot follow summarise()", {
  local_verbs()
  query <- count(people_to_plan(), region)
  verbs <- list(
    filter, mutate, transmute, select, rename, relocate, group_by, ungroup, summarise, count,
    dplyr::tally, collect, arrange, head, pull, slice_head, dp_truncate, dp_per_unit
  )
  for (verb in verbs) expect_error(verb(query), class = "dp_error_unsupported")
  for (join in list(left_join, inner_join, semi_join, anti_join)) {
    expect_error(join(query, data.frame(region = "North")), class = "dp_error_unsupported")
  }
})

test_that("the number of rows is not shown", {
  table <- stays_in(dp_session(dp_epsilon(1)))
  expect_identical(nrow(table), NA_integer_)
  expect_identical(ncol(table), 5L)
})

test_that("functions of base R and stats on a table name the verb to use", {
  local_verbs()
  table <- people_to_plan()
  said <- function(code) {
    error <- expect_error(eval(code), class = "dp_error_unsupported", info = deparse(code))
    conditionMessage(error)
  }
  named <- list(
    "count(g)" = quote(table(table)), "dpCorrelation" = quote(stats::cor(table)),
    "dpCorrelation" = quote(stats::cov(table)), "dp_sd(x)" = quote(stats::sd(table)),
    "dp_mean(x)" = quote(colMeans(table)), "dp_sum" = quote(colSums(table)),
    "mutate" = quote(rowSums(table)), "dp_quantile" = quote(stats::IQR(table)),
    "summarise" = quote(tapply(table, 1, mean)), "drop_na()" = quote(stats::na.omit(table)),
    "dp_n_missing" = quote(is.na(table)), "dp_n_missing" = quote(anyNA(table)),
    "dp_mean" = quote(as.numeric(table)), "dp_tbl()" = quote(c(table, table)),
    "dp_tbl()" = quote(rbind(table, table)), "mutate()" = quote(cbind(table, 1)),
    "release()" = quote(unlist(table)), "dp_histogram" = quote(stats::density(table)),
    "dp_mean(age)" = quote(mean(table$age)), "dp_median(age)" = quote(stats::median(table$age)),
    "dp_var(age)" = quote(stats::var(table$age))
  )
  for (i in seq_along(named)) {
    expect_match(said(named[[i]]), names(named)[[i]], fixed = TRUE)
  }
  # Functions that only look at the object are answered.
  expect_false(is.matrix(table))
  expect_identical(length(table), length(names(table)))
})
