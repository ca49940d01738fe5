# Makes the result of a released batch.

new_released_batch <- function(tables) {
  structure(tables, class = c("dp_released_batch", "dp_result"))
}
