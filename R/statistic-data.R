# Private data come in here, and only here.

# The column as doubles, chosen by its exact name and checked by its type, before any of its values
# is read. All that can be wrong is one error: which of it, is between the data and their owner.
column_of <- function(data, variable) {
  refuse <- function() {
    stop_dp(
      paste(
        "`data` must be a data frame with exactly one column `{variable}`, a plain vector of type",
        "logical, integer or double."
      ),
      "invalid_argument",
      argument = "data", call = NULL
    )
  }
  if (!is.data.frame(data)) refuse()
  at <- which(attr(data, "names") == variable)
  if (length(at) != 1) refuse()
  column <- .subset2(data, at)
  plain <- typeof(column) %in% c("logical", "integer", "double") && !is.object(column) &&
    is.null(dim(column))
  if (!plain) refuse()
  as.double(column)
}
