#' @references Aumueller, Lebeda and Pagh (2021), *Differentially Private Sparse Vectors with Low
#'   Error, Optimal Space, and Fast Access*.
