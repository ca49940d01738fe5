#' @references Korolova, Kenthapadi, Mishra and Ntoulas (2009), *Releasing Search Queries and Clicks
#'   Privately*.
