# How PUMS5extract10000 is made: from published summary figures, without any real record.
#
# The figures (pums_*.csv beside this file) are counts, quantiles and model coefficients of a
# census extract of 10000 adults. Where they are counts, the counts are dealt out like cards, so
# those tables come out exactly. Where they are a model, people are drawn from it.
#
# R's generator is suitable here: these records describe no person, and making them is no release
# under a privacy guarantee. Seed and kinds are pinned so that everybody draws the same.

synthesize_pums <- function(folder, seed = 2000) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  figures <- read_figures(folder)
  people <- draw_ethnicity(figures)
  people <- draw_age(people, figures)
  people <- draw_sex(people, figures)
  people <- draw_education(people, figures)
  people <- draw_marriage(people, figures)
  people <- draw_income(people, figures)
  people <- draw_area(people, figures)
  state <- as.integer(figures$marginal("state", "constant"))
  people <- people[sample.int(nrow(people)), ]
  with(people, data.frame(
    X = X, state = state, puma = puma, sex = sex, age = age, educ = educ, income = income,
    latino = latino, black = black, asian = asian, married = married
  ))
}

read_figures <- function(folder) {
  read <- function(name) {
    utils::read.csv(file.path(folder, name), colClasses = c(level = "character"))
  }
  marginals <- read("pums_marginals.csv")
  conditionals <- read("pums_conditionals.csv")
  models <- utils::read.csv(file.path(folder, "pums_models.csv"))

  marginal <- function(variable, statistic) {
    rows <- marginals[marginals$variable == variable & marginals$statistic == statistic, ]
    stats::setNames(rows$value, rows$level)
  }
  # One named count vector for every level of the conditioning variables.
  conditional <- function(of, given) {
    rows <- conditionals[conditionals$of == of & conditionals$given == given, ]
    lapply(split(rows, rows$level), function(cell) stats::setNames(cell$count, cell$value))
  }
  model <- function(response) {
    rows <- models[startsWith(models$model, response), ]
    stats::setNames(rows$estimate, rows$term)
  }
  by_group <- read("pums_income_by_group.csv")
  income_quantiles <- function(grouping, level) {
    row <- by_group[by_group$grouping == grouping & by_group$level == level, ]
    columns <- grep("^q[0-9]+$", names(row), value = TRUE)
    stats::setNames(unlist(row[columns]), as.numeric(sub("q", "", columns)) / 100)
  }
  list(
    marginal = marginal, conditional = conditional, model = model,
    income_quantiles = income_quantiles
  )
}

# The values named by `counts`, each as often as counted, in random order.
deal <- function(counts) {
  rep(names(counts), counts)[sample.int(sum(counts))]
}

# Deals a table of counts to each group of people.
deal_within <- function(group, tables) {
  group <- in_fixed_order(group)
  unsplit(lapply(levels(group), function(g) deal(tables[[g]])), group)
}

# Groups take their turn at the generator in an order that no locale changes.
in_fixed_order <- function(group) factor(group, levels = sort(unique(group), method = "radix"))

# Who has a trait that a logistic model predicts, when the number who have it is known: with
# logistic noise on the score, a fixed threshold is the model itself, and the threshold that
# selects `count` people is the model with a corrected intercept.
has_trait <- function(score, count) {
  noisy <- score + stats::rlogis(length(score))
  as.integer(rank(-noisy, ties.method = "first") <= count)
}

draw_ethnicity <- function(figures) {
  cell <- deal(figures$marginal("race_ethnicity", "joint_count"))
  flag <- function(name) as.integer(sub(paste0(".*", name, "([01]).*"), "\\1", cell))
  people <- data.frame(latino = flag("latino"), black = flag("black"), asian = flag("asian"))
  # The published tables by ethnicity count each person once, in this order of precedence.
  people$race <- with(people, ifelse(
    latino == 1, "latino", ifelse(black == 1, "black", ifelse(asian == 1, "asian", "other"))
  ))
  people
}

age_band <- function(age) {
  labels <- c("18-24", "25-34", "35-44", "45-54", "55-64", "65-74", "75+")
  labels[findInterval(age, c(18, 25, 35, 45, 55, 65, 75))]
}

draw_age <- function(people, figures) {
  people$age_band <- deal_within(people$race, figures$conditional("ageband", "race"))
  years <- figures$marginal("age", "count")
  years_in_band <- split(years, age_band(as.integer(names(years))))
  people$age <- as.integer(deal_within(people$age_band, years_in_band))
  people
}

draw_sex <- function(people, figures) {
  tables <- figures$conditional("sex", "ageband")
  people$sex <- as.integer(deal_within(people$age_band, tables))
  people
}

education_band <- function(educ) {
  labels <- c("1-3", "4-8", "9", "10-12", "13", "14-16")
  labels[findInterval(educ, c(1, 4, 9, 10, 13, 14))]
}

draw_education <- function(people, figures) {
  group <- paste(people$race, people$age_band, sep = "|")
  tables <- figures$conditional("educ", "race|ageband")
  people$educ <- as.integer(deal_within(group, tables))
  people
}

draw_marriage <- function(people, figures) {
  score <- predictor(people, figures$model("logit married ~ a10 + a10^2"))
  married <- figures$conditional("married", "age")
  people$married <- unsplit(Map(
    function(scores, counts) has_trait(scores, sum(counts[names(counts) == "1"])),
    split(score, people$age), married[levels(factor(people$age))]
  ), people$age)
  people
}

# The linear predictor of a published model, term by term. `educ=9` is the base level.
predictor <- function(people, coefficients) {
  decades <- people$age / 10
  transformed <- list(
    "(Intercept)" = 1, a10 = decades, age2 = decades^2, "a10^2" = decades^2, "a10^3" = decades^3,
    "sex:married" = people$sex * people$married
  )
  column <- function(term) {
    level <- regmatches(term, regexec("^educ=([0-9]+)$", term))[[1]][2]
    if (!is.na(level)) {
      as.numeric(people$educ == as.integer(level))
    } else if (term %in% names(transformed)) {
      transformed[[term]]
    } else {
      people[[term]]
    }
  }
  # Residual quantiles and measures of fit are listed with the coefficients, in parentheses.
  terms <- grep("^\\((?!Intercept)", names(coefficients), perl = TRUE, value = TRUE, invert = TRUE)
  Reduce(`+`, lapply(terms, function(term) coefficients[[term]] * column(term)))
}
