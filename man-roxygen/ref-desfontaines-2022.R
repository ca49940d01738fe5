#' @references Desfontaines, Voss, Gipson and Mandayam (2022), *Differentially Private Partition
#'   Selection*.
