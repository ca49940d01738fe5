#' @references Liu and Talwar (2019), *Private Selection from Private Candidates*, Theorem 3.1.
