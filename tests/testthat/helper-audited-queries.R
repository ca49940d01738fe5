# Audit cases (helper-audit.R), at least one for each kind of aggregate and of group keys in a
# query.

query_audits <- function() {
  table_of <- function(unit, ...) {
    dp_tbl(dp_session(dp_epsilon(1, 1e-6)), NULL, unit = unit, domain = dp_domain(...))
  }
  persons <- function(..., caps = list(max_rows = 1)) {
    do.call(dp_truncate, c(list(table_of(dp_unit(id = id), ...)), caps))
  }
  estimates <- function(release) unlist(release[[2]])
  all_estimates <- function(releases) in_columns(lapply(releases, estimates))
  first_estimate <- function(releases, fields) all_estimates(releases)[1, ]
  evidence_of <- function(...) laplace_evidence(..., numbers = all_estimates)
  case <- function(query, data, evidence = first_estimate, draws = 12000, epsilon = 1, delta = 0) {
    list(
      make = function(excess) as_measurement(query, dp_epsilon(epsilon * excess, delta)),
      data = data, evidence = evidence, d_in = 1L, draws = draws
    )
  }
  number <- persons(x = dp_num(0, 1, missing = "midpoint"))
  four <- data.frame(id = 1:4, x = 1)
  # Enough people that the mean is not clamped.
  half <- data.frame(id = 1:60, x = rep(0:1, 30))
  more <- rbind(half, data.frame(id = 61, x = 1))
  wards <- function(...) persons(ward = dp_text(), ...)
  of_ward <- function(people) data.frame(id = seq_len(people), ward = rep("a", people))
  shown <- of_each(function(release) if (length(estimates(release)) > 0) estimates(release) else -1)
  rows <- function(x) data.frame(x = x)
  replaced <- table_of(dp_unit(changes = 1), x = dp_num(0, 1, missing = "midpoint"))
  two_wards <- persons(
    ward = dp_levels("a", "b"), x = dp_num(0, 1, missing = "midpoint"),
    caps = list(max_groups = 2, max_rows_per_group = 1, by = quote(ward))
  )
  visits <- data.frame(id = rep(1:20, 2), ward = rep(c("a", "b"), each = 20), x = 0.5)
  one_more <- rbind(visits, data.frame(id = 21, ward = c("a", "b"), x = 1))
  sigma <- function(excess) sigma_of(excess * gaussian_epsilon(1, 0.1), 0.1)
  list(
    `query, count` = case(dplyr::summarise(number, n = dp_count()), list(four, four[1:3, ])),
    `query, count with Gaussian noise` = list(
      make = function(excess) {
        query <- dplyr::summarise(number, n = dp_count(scale = sigma(excess)))
        at_delta(as_measurement(query, dp_zcdp(4)))
      },
      claim = c(gaussian_epsilon(1, 0.1), 0.1), data = list(four, four[1:3, ]),
      evidence = first_estimate, d_in = 1L, draws = 48000
    ),
    `query, sum` = case(
      dplyr::summarise(number, x = dp_sum(x)), list(four, four[1:3, ]), draws = 25000
    ),
    `query, mean beside its count` = case(
      dplyr::summarise(number, n = dp_count(), x = dp_mean(x)), list(more, half),
      evidence = function(releases, fields) {
        found <- all_estimates(releases)
        # The noisy sum of distances from the midpoint.
        sum <- (found[2, ] - 0.5) * found[1, ]
        laplace_ratio(rbind(found[1, ], sum), c(61, 0.5), c(60, 0), scales = c(2, 1))
      },
      draws = 20000
    ),
    `query, mean of replaced rows` = case(
      dplyr::summarise(replaced, x = dp_mean(x)), list(rows(c(1, 1, 0)), rows(c(0, 1, 0))),
      draws = 25000
    ),
    `query, histogram of replaced rows` = case(
      dplyr::summarise(replaced, x = dp_histogram(x, breaks = c(0, 0.5, 1))),
      list(rows(c(1, 1, 0)), rows(c(0, 1, 0))),
      evidence = evidence_of(c(1, 2), c(2, 1)),
      draws = 17000
    ),
    # Two candidates are half a row apart, as for dpQuantiles(). Permute-and-flip picks the second
    # one half as often as its coin comes up.
    `query, median` = c(
      case(
        dplyr::summarise(replaced, x = dp_median(x, at = c(0, 1), method = "score")),
        list(rows(rep(0:1, c(31, 30))), rows(rep(0:1, c(30, 31)))), epsilon = 2, draws = 30000
      ),
      list(claim = c(log(2 * exp(0.5) - 1) * (1 - 1e-9), 0))
    ),
    `query, people in two groups` = case(
      dplyr::summarise(dplyr::group_by(two_wards, ward), n = dp_n_ids()), list(one_more, visits),
      evidence = evidence_of(21, 20), draws = 20000
    ),
    `query, several aggregates` = case(
      dplyr::summarise(number,
        n = dp_n_ids(), s = dp_sum(x), h = dp_histogram(x, breaks = c(0, 0.75, 1))),
      list(more, half),
      evidence = evidence_of(c(61, 31, 30, 31), c(60, 30, 30, 30)), epsilon = 2, draws = 20000
    ),
    `query, keys above a threshold` = case(
      dp_keys(dplyr::summarise(dplyr::group_by(wards(), ward), n = dp_n_ids()), "threshold"),
      list(of_ward(5), of_ward(6)), evidence = shown, delta = 0.01
    ),
    `query, keys by selection` = case(
      dp_keys(dplyr::summarise(dplyr::group_by(wards(), ward), n = dp_count()), "select",
        share = 1e4),
      list(of_ward(3), of_ward(4)),
      evidence = of_each(function(release) length(estimates(release))), delta = 0.01, draws = 30000
    )
  )
}
