# Measurement of a generalized linear model.

# Compares parts with each other, for any model.
covers_of_glm <- function(args) {
  if (is.null(args$vcov)) {
    c(summary = target_of$moved)
  } else if (args$objective == "ols") {
    covers_of_model(args)
  } else {
    c(summary = if (args$vcov == "sandwich") target_of$moved else target_of$model)
  }
}

# Resolves the inference method and its share of `epsilon`.
with_inference <- function(args) {
  one_step <- !is.null(args$inference)
  args["inference"] <- if (one_step) "onestep" else if (is.null(args$nBoot)) "none" else "parts"
  args["inferenceShare"] <- list(if (one_step) args$inferenceShare %||% one_step_share)
  args["vcov"] <- list(if (one_step) args$vcov %||% usual_vcov(args))
  args
}

one_step_share <- 0.2

# Handles an offset. Least squares subtracts it from the response. Other objectives add it to the
# linear predictor, as an extra last column.
with_offset <- function(args) {
  design <- args$formula$design
  if (is.null(design$offset) || args$objective == "ols") {
    return(args)
  }
  design$terms[[1]] <- design$observed
  design$terms[[offset_name]] <- design$offset
  args$formula$design <- design
  args
}

has_offset <- function(args) offset_name %in% names(args$design$terms)

# Adds a step for `inference = "onestep"`, so plans without it keep their hashes.
glm_measurement <- function(columns, plan) {
  if (plan$inference_share > 0) {
    used <- setdiff(names(plan), "parts")
    do.call(build, c(list("objective_then_curvature", columns), unname(plan[used])))
  } else {
    used <- setdiff(names(plan), c("inference_share", "sandwich"))
    do.call(build, c(list("objective_perturbation", columns), unname(plan[used])))
  }
}
