#' @references McSherry (2009), *Privacy Integrated Queries: An Extensible Platform for
#'   Privacy-Preserving Data Analysis* (stable transformations).
