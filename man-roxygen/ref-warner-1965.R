#' @references Warner (1965), *Randomized Response: A Survey Technique for Eliminating Evasive
#'   Answer Bias*.
