#' @references Erlingsson, Pihur and Korolova (2014), *RAPPOR: Randomized Aggregatable
#'   Privacy-Preserving Ordinal Response*.
