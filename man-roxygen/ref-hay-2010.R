#' @references Hay, Rastogi, Miklau and Suciu (2010), *Boosting the Accuracy of Differentially
#'   Private Histograms Through Consistency*.
