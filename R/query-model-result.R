# Results of models on private tables: postprocessing of the released moments. Uses the estimators
# of statistics (statistic-joint-moments.R, statistic-correlation.R).

# "linear model of days ~ age by ward"
describe_model <- function(query) {
  model <- query$model
  name <- name_of_model(model)
  printable(paste0(name, if (length(query$by) > 0) paste0(" by ", toString(query$by))))
}

name_of_model <- function(model) {
  switch(model$kind,
    lm = paste0("linear model of ", model$text,
      if (!is.null(model$weights)) paste0(", weights ", model$weights)
    ),
    glm = paste(row_models[[model$objective]], "of", model$text),
    paste(c(cov = "covariance of", cor = "correlation of", pca = "principal components of")[[
      model$kind
    ]], toString(names_of_columns(model$columns)))
  )
}

names_of_columns <- function(columns) vapply(columns, `[[`, "", "name")

# The public facts of the release that a result was computed from.
about_model <- function(x) attr(x, "released")

# One result, or a list of results for groups.
described_release.dp_model_query <- function(query, released) { # nolint: object_name_linter.
  about <- about_released(released)
  about$notes <- c(about$notes, note_of_gaps(query))
  groups <- lapply(seq_len(nrow(released)), function(group) {
    model_result(about$tidy[about$tidy$group == group, ], query, about)
  })
  if (length(query$by) == 0) {
    return(groups[[1]])
  }
  keys <- result_frame(released)[query$by]
  names <- do.call(paste, c(lapply(unname(keys), function(key) {
    replace(as.character(key), is.na(key), "NA")
  }), sep = ", "))
  structure(groups, names = names, keys = keys, released = about,
    class = c("dp_released_models", "dp_result")
  )
}

note_of_gaps <- function(query) {
  variables <- c(variables_of_columns(query$model$columns), query$model$weights)
  table <- tbl_data(query$table)
  lacking <- columns_behind(variables, table$steps, lacking_in)
  lacking <- Filter(function(name) stays_missing(table$domain[[name]]), lacking)
  if (length(lacking) > 0) paste0("rows without ", names_or(lacking), " are left out")
}

model_result <- function(tidy, query, about) {
  model <- query$model
  by_rows <- model$kind == "glm"
  found <- if (!by_rows) found_in_group(tidy, model, "rho" %in% names(about$loss))
  fit <- switch(model$kind,
    glm = glm_of_table(tidy$estimate, model, about),
    lm = lm_of_table(found, model, about$alpha),
    cov = cov_of_table(found, model, about$alpha),
    cor = cor_of_table(found, model, about$alpha),
    pca = pca_of_table(found, model, about$alpha)
  )
  loss <- unclass(about$loss)
  kept <- list(bounds = bounds_of_variables(model), levels = levels_of_variables(model))
  structure(
    c(fit$elements, list(
      epsilon = loss$epsilon %||% NA_real_, delta = loss$delta,
      status = if (by_rows || found$enough) fit$status else "few"
    ), if (!by_rows) counted_by_model(found, model), if (!is.null(loss$rho)) list(rho = loss$rho)),
    about = list(
      name = name_of_model(model), alpha = about$alpha, notes = NULL, covers = fit$covers(about),
      model = list(formula = model$text, columns = model$columns[-1], kept = kept,
        objective = model$objective, uncounted = by_rows
      )
    ),
    released = about, plan = about$plan, class = c("dp_released_model", fit$class, "dp_result")
  )
}

# The noisy number of rows, or the noisy sum of their weights.
counted_by_model <- function(found, model) {
  if (is.null(model$weights)) {
    list(nPresent = found$count)
  } else {
    list(sumWeights = found$count * heaviest_row(model))
  }
}

bounds_of_variables <- function(model) {
  names <- unique(unlist(lapply(model$columns[-1], `[[`, "numbers")))
  lapply(model$fields[names], function(field) c(field$lower, field$upper))
}

levels_of_variables <- function(model) {
  names <- unique(unlist(lapply(model$columns[-1], function(column) names(column$cells))))
  lapply(model$fields[names], function(field) {
    if (field$type == "logical") c("FALSE", "TRUE") else field$levels
  })
}

lm_of_table <- function(found, model, alpha) {
  names <- names_of_columns(model$columns)
  formula <- list(response = names[[1]], terms = names[-1], intercept = model$intercept)
  line <- if (found$enough) joint_line(found, formula, names) else unknown_line(formula)
  if (model$vcov == "noise") {
    line$sampling <- 0 * line$sampling
    line$df <- Inf
  }
  if (model$intercept) names(line$estimate)[[1]] <- "(Intercept)"
  ends <- coefficient_intervals(line$estimate, line, 1 - alpha)
  summary <- interval_table(line$estimate, standard_errors(line), ends, alpha)
  list(
    elements = list(
      release = data.frame(estimate = line$estimate), variable = names, accuracy = NA_real_,
      summary = structure(summary, errors = errors_of_line(line)), variance = line$variance
    ),
    status = line$status, class = c("dp_lm_result", "dp_glm_result"),
    covers = function(about) {
      c(summary = if (model$vcov == "noise") interval_target(about) else target_of$table_classical)
    }
  )
}

# Bounds of the noise of each moment, with the probability of one of the four moments of an entry.
with_reach <- function(found, model, alpha) {
  steps <- vapply(model$columns, function(column) {
    field <- model$fields[[one_number(column)]]
    if (field$type == "real") 2^26 else field$upper - field$lower
  }, 0)
  found$reach <- joint_reach(found$scales, steps, "integer", alpha / 4)
  found$counts <- found$count + c(-1, 1) * found$reach$count
  found
}

cov_of_table <- function(found, model, alpha) {
  names <- names_of_columns(model$columns)
  found <- with_reach(found, model, alpha)
  found$enough <- found$enough && found$counts[[1]] >= 2
  entries <- if (found$enough) joint_entries(found) else few_entries(found)
  list(
    elements = list(
      release = as.data.frame(symmetric_matrix(entries$value, found$pairs, names)),
      variable = names, accuracy = entries$accuracy, means = stats::setNames(entries$means, names)
    ),
    status = if (found$enough) "ok" else "few", class = "dp_covariance_result",
    covers = function(about) c(accuracy = interval_target(about))
  )
}

cor_of_table <- function(found, model, alpha) {
  names <- names_of_columns(model$columns)
  apart <- found$pairs[found$pairs$first < found$pairs$second, ]
  fields <- list(alpha = alpha, law = model$law)
  parts <- if (found$enough) correlations(found, apart, fields) else no_correlations(apart)
  matrix <- diag(1, length(names))
  dimnames(matrix) <- list(names, names)
  matrix[as.matrix(apart)] <- matrix[as.matrix(apart[2:1])] <- parts$value
  rownames(parts$intervals) <- names_of_pairs(names, apart)
  list(
    elements = list(
      release = as.data.frame(matrix), variable = names, accuracy = NA_real_,
      intervals = parts$intervals
    ),
    status = parts$status, class = "dp_correlation_result", covers = covers_of_law(model)
  )
}

covers_of_law <- function(model) {
  normal <- model$law == "normal"
  function(about) c(intervals = if (normal) target_of$table_normal else target_of$table_moved)
}

pca_of_table <- function(found, model, alpha) {
  columns <- names_of_columns(model$columns)
  names <- paste0("PC", seq_len(model$k))
  # The number of rows has no public bound.
  fields <- list(columns = columns, k = model$k, scale = model$scale, law = model$law,
    alpha = alpha, n = Inf
  )
  parts <- if (found$enough) components(found, fields) else no_components(fields)
  dimnames(parts$loadings) <- list(columns, names)
  rownames(parts$intervals) <- names
  list(
    elements = list(
      release = as.data.frame(parts$loadings), variable = columns, accuracy = NA_real_,
      variance = stats::setNames(parts$variance, names), intervals = parts$intervals,
      means = stats::setNames(parts$means, columns)
    ),
    status = parts$status, class = "dp_pca_result", covers = covers_of_law(model)
  )
}

# S3 method names contain dots.

# The epsilon of one added or removed row, from the loss of the release.
epsilon_of_row <- function(preview, loss) {
  each <- if ("rho" %in% names(loss)) sqrt(2 * preview$loss) else preview$loss
  each / preview$sensitivity
}

# Coefficients and errors, by the code of dpGLM().
glm_of_table <- function(released, model, about) {
  plan <- list(
    objective = model$objective, intercept = TRUE, parts = 1, lambda = 0,
    epsilon = epsilon_of_row(about$preview, about$loss),
    inference_share = if (model$vcov == "none") 0 else one_step_share,
    sandwich = model$vcov == "sandwich"
  )
  budget <- core_glm_budget(plan, length(model$columns))
  names <- names_of_columns(model$columns)
  fields <- list(
    variable = names, intercept = TRUE, vcov = model$vcov, objective = model$objective,
    rng = unname(model$ends), alpha = about$alpha, accuracy = NA_real_, epsilon = plan$epsilon,
    lambda = budget$lambda, n = 1, missing = "drop",
    inference = if (model$vcov == "none") "none" else "onestep"
  )
  result <- glm_result(budget)(released, fields)
  terms <- c("(Intercept)", names[-1])
  row.names(result$release) <- terms
  if (!is.null(result$summary)) row.names(result$summary) <- terms
  if (!is.null(result$raw)) names(result$raw) <- terms
  list(
    elements = result[setdiff(names(result), c("epsilon", "status"))],
    status = result$status %||% "ok", class = "dp_glm_result",
    covers = function(about) {
      if (model$vcov != "none") {
        c(summary = if (model$vcov == "sandwich") target_of$table_moved else target_of$table_model)
      }
    }
  )
}
