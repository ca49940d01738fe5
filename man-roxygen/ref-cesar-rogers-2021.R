#' @references Cesar and Rogers (2021), *Bounding, Concentrating, and Truncating: Unifying Privacy
#'   Loss Composition for Data Analytics*, Lemma 3.4.
