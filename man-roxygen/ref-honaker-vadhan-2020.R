#' @references Honaker and Vadhan (2020), *Bootstrap Inference and Differential Privacy*
#'   (sensitivity of deviations from a mean).
