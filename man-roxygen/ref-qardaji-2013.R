#' @references Qardaji, Yang and Li (2013), *Understanding Hierarchical Methods for Differentially
#'   Private Histograms*.
