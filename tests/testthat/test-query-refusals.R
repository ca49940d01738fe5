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
