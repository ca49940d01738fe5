#' @references McKenna and Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially
#'   Private Selection*.
