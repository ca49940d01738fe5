# Values of `run` for each element of `x`, from `cores` forked processes. mclapply() only reports
# that some process failed. This function raises its error.
in_forks <- function(x, run, cores, reseed = TRUE) {
  values <- suppressWarnings(
    parallel::mclapply(x, run, mc.cores = cores, mc.set.seed = reseed)
  )
  for (i in seq_along(x)) {
    if (inherits(values[[i]], "try-error")) stop("In fork ", i, ": ", values[[i]])
    if (is.null(values[[i]])) stop("Fork ", i, " ended without a value.")
  }
  values
}
