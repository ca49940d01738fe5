# How SocrataWhiteHouseEmployeeSalaries is made: from published summary figures, without any real
# record.
#
# The figures (socrata_summary.csv beside this file) are counts and quantiles of a payroll of 469
# people. Salaries that are published with their counts come out that often. The others are spread
# between the published quantiles. Titles that are published come out as often as published. The
# others are put together from words (socrata_titles.R).
#
# R's generator is suitable here: these records describe no real person, and making them is not a
# release under a privacy guarantee. Seed and kinds are pinned so that everybody draws the same.

synthesize_socrata <- function(folder, seed = 2017) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  figures <- read_socrata(folder)
  people <- draw_salaries(figures)
  people$title <- draw_titles(people, figures)
  people <- people[sample.int(nrow(people)), ]
  data.frame(
    Employee.Status = people$status, Salary = as.integer(people$salary),
    Pay.Basis = rep(names(figures("Pay.Basis", "count")), nrow(people)),
    Position.Title = people$title
  )
}

# figures(variable, statistic): published numbers, named by their level.
read_socrata <- function(folder) {
  rows <- utils::read.csv(
    file.path(folder, "socrata_summary.csv"), colClasses = "character"
  )
  function(variable, statistic) {
    found <- rows[rows$variable == variable & rows$statistic == statistic, ]
    stats::setNames(as.numeric(found$value), found$level)
  }
}

# Salaries, by group of people. Detailees come from other offices and have different salaries.
draw_salaries <- function(figures) {
  common <- figures("Salary", "most_common_count")
  values <- as.numeric(names(common))
  detailees <- detailed_salaries(figures("Employee.Status", "count")[["Detailee"]])
  of <- list(
    Detailee = detailees,
    `Employee (part-time)` = 21000,
    Employee = c(rep(values, common), other_salaries(values, detailees))
  )
  data.frame(status = rep(names(of), lengths(of)), salary = unlist(of, use.names = FALSE))
}

# Published: lowest, median and highest salary of detailees, and their mean, which determines the
# distribution of the others.
detailed_salaries <- function(count, ends = c(51630, 123758, 179700), mean = 122203.3) {
  half <- (count - 1) / 2
  below <- seq(ends[[1]], ends[[2]], length.out = half + 1)
  above <- seq(ends[[2]], ends[[3]], length.out = half + 1)
  bent <- function(bend) {
    curve <- function(x) x[[1]] + (x - x[[1]])^bend * diff(range(x))^(1 - bend)
    round(c(curve(below), curve(above)[-1]))
  }
  bend <- stats::uniroot(function(bend) mean(bent(bend)) - mean, c(0.5, 2))$root
  bent(bend)
}

# Salaries outside of the most common ones: the number of rows between two salaries, including
# detailees, and the number of values for employees. These give the published quantiles their ranks,
# and 120 values in total. Lines without a gap are values for a quantile, the median of a title or
# the median of employees.
salary_gaps <- "
  from,to,rows,distinct
  0,0,3,1
  37724,37724,1,1
  38031,38031,1,1
  38031,42000,8,4
  42000,45000,3,2
  45000,45900,2,1
  45900,50000,4,2
  50000,59160,9,3
  52450,52450,1,1
  56092,56092,1,1
  59160,59160,1,1
  60000,65000,12,5
  60232,60232,1,1
  65000,65000,5,1
  65000,66300,4,2
  66300,80000,21,8
  75681,75681,1,1
  80000,100000,38,13
  100000,113000,8,4
  113000,113000,3,1
  113000,130000,11,5
  130500,150000,15,5
  150000,150000,4,1
  150000,172200,10,3
"

other_salaries <- function(common, detailees) {
  gaps <- utils::read.csv(text = salary_gaps, strip.white = TRUE)
  unlist(Map(function(from, to, rows, distinct) {
    rows <- rows - sum(detailees > from & detailees < to)
    spread <- seq(from, to, length.out = distinct + 2)[seq_len(distinct) + 1]
    values <- if (from == to) from else 50 * round(spread / 50)
    rep_len(values + 50 * (values %in% common), rows)
  }, gaps$from, gaps$to, gaps$rows, gaps$distinct))
}
