# Blocks of a dry run.

counted_as_middle <- "counted as the middle of `outputRange`"

dry_blocks <- function(fields, columns, count) {
  columns <- doubles_in(columns)
  rows <- nrow(columns)
  size <- fields$subsetSize
  if (rows < size) {
    stop_argument(paste("data of at least", size, "rows, the size of a block"),
      paste("of", rows), "public_data", quote(dry_run())
    )
  }
  drops <- drops_missing(fields)
  columns[] <- Map(function(column, rng, imputeRng) {
    if (fields$varType != "numeric") column <- trunc(column)
    clamped <- censorData(column, fields$varType, rng)
    if (drops) clamped else fillMissing(clamped, fields$varType, imputeRng)
  }, columns, as_pairs(fields$rng), as_pairs(fields$imputeRng))
  callback <- new_callback(
    inner_function(fields$innerFun), arg = "innerFun", isolation = fields$isolation
  )
  framed <- framed_blocks(fields)
  count <- count %||% fields$numSubsets
  places <- with_generators_kept(lapply(seq_len(count), function(b) sample.int(rows, size)))
  complete <- Reduce(`&`, lapply(columns, function(column) !is.na(column)))
  places <- lapply(places, function(places) places[complete[places]])
  tries <- call_each(callback, count, failed = left_its_block, run = function(fun, b) {
    dry_block(fun, block_of(columns, places[[b]], framed), fields)
  })
  one <- function(name, of) vapply(tries, `[[`, of, name)
  list(
    blocks = data.frame(
      rows = lengths(places), seconds = one("seconds", 0), failed = one("failed", NA),
      message = one("message", ""), warnings = one("warnings", 0), outside = one("outside", NA)
    ),
    results = lapply(tries, `[[`, "value")
  )
}

# Reports everything that the function does with a block, because the rows are public.
dry_block <- function(inner, block, fields) {
  warnings <- 0
  begun <- proc.time()[["elapsed"]]
  value <- or_else(
    withCallingHandlers(inner(block), warning = function(condition) warnings <<- warnings + 1),
    identity
  )
  seconds <- proc.time()[["elapsed"]] - begun
  fault <- block_fault(value, fields) %||%
    if (isTRUE(seconds > fields$timeLimit)) "took longer than `timeLimit`"
  list(
    value = value, seconds = seconds, failed = !is.null(fault), message = fault %||% "",
    warnings = warnings, outside = is.null(fault) && is_outside(value, fields)
  )
}

# Report on a block whose function gave neither a result nor an error.
left_its_block <- list(
  value = NULL, seconds = NA_real_, failed = TRUE, message = "left without a result", warnings = 0,
  outside = FALSE
)

# Tells why a release would count the result of a block as a failure, or returns NULL.
block_fault <- function(value, fields) {
  if (inherits(value, "error")) {
    return(paste("error:", plain_message(value)))
  }
  numbers <- read_result(value, fields)
  if (!is.null(fields$outcomes)) {
    if (numbers == length(fields$outcomes)) "a result that is none of `outcomes`"
  } else if (length(plain_numbers_of(value)) != length(numbers)) {
    plain <- is.atomic(value) && !is.null(value) && !is.object(value)
    paste0(
      "a result that is ", describe(value), if (plain) paste0(", not ", length(numbers), " numbers")
    )
  } else if (anyNA(numbers)) {
    "a missing result"
  }
}

read_result <- function(value, fields) {
  block_reader(fields$outcomes, rbind(fields$outputRange))(value)
}

is_outside <- function(value, fields) {
  if (!is.null(fields$outcomes)) {
    return(FALSE)
  }
  range <- rbind(fields$outputRange)
  numbers <- read_result(value, fields)
  any(numbers < range[, 1] | numbers > range[, 2])
}
