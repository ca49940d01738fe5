# A function of public numbers that keeps what it found: for what takes longer than the release that
# asks for it, and comes again with the next one.
remembered <- function(fun) {
  known <- new.env(parent = emptyenv())
  function(...) {
    key <- paste(sprintf("%a", as.double(c(...))), collapse = " ")
    known[[key]] <- known[[key]] %||% fun(...)
    known[[key]]
  }
}
