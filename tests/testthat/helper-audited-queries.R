# Cases of audits (helper-audit.R) of queries of private tables.

query_audits <- function() {
  table_of <- function(unit, ...) {
    dp_tbl(dp_session(dp_epsilon(1, 1e-6)), NULL, unit = unit, domain = dp_domain(...))
  }
  one_row <- function(...) dp_truncate(table_of(dp_unit(id = id), ...), max_rows = 1)
  estimates <- function(release) unlist(release[[2]])
  case <- function(query, data, told, delta = 0, draws = 12000) {
    list(
      make = function(excess) as_measurement(query, dp_epsilon(excess, delta)),
      data = data, told = told, d_in = 1L, draws = draws
    )
  }
  four <- data.frame(id = 1:4, x = 1)
  of_ward <- function(people) data.frame(id = seq_len(people), ward = rep("a", people))
  rows <- function(x) data.frame(x = x)
  replaced <- table_of(dp_unit(changes = 1), x = dp_num(0, 1, missing = "midpoint"))
  wards <- dplyr::group_by(one_row(ward = dp_text()), ward)
  list(
    `query, count` = case(
      dplyr::summarise(one_row(x = dp_num(0, 1)), n = dp_count()), list(four, four[1:3, ]),
      told = function(release, fields) estimates(release)
    ),
    `query, mean of replaced rows` = case(
      dplyr::summarise(replaced, x = dp_mean(x)), list(rows(c(1, 1, 0)), rows(c(0, 1, 0))),
      told = function(release, fields) estimates(release), draws = 25000
    ),
    `query, histogram of replaced rows` = case(
      dplyr::summarise(replaced, x = dp_histogram(x, breaks = c(0, 0.5, 1))),
      list(rows(c(1, 1, 0)), rows(c(0, 1, 0))),
      told = function(release, fields) laplace_evidence(c(1, 2), c(2, 1))(release[[2]], fields)
    ),
    `query, keys above a threshold` = case(
      dp_keys(dplyr::summarise(wards, n = dp_n_ids()), "threshold"),
      list(of_ward(5), of_ward(6)), delta = 0.01,
      told = function(release, fields) if (length(estimates(release))) estimates(release) else -1
    )
  )
}
