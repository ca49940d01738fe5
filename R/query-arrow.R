# Private rows that come as Arrow batches: streams and batches of package nanoarrow, tables and
# datasets of package arrow. The core reads each batch where it lies, and keeps none.

arrow_classes <- c(
  "nanoarrow_array_stream", "nanoarrow_array", "ArrowTabular", "RecordBatchReader", "Dataset"
)

is_arrow <- function(data) inherits(data, arrow_classes)

arrow_rows <- function(data, unit, domain, execute, rows, call) {
  needs_packages("nanoarrow", call)
  check_streamed("Arrow data do not count themselves", execute, rows, call)
  # A stream or a reader is this very object each time; batches, tables and datasets open a new one.
  open <- function() nanoarrow::as_nanoarrow_array_stream(data)
  columns <- unique(c(names(domain), unit$id))
  kinds <- from_core(core_arrow_kinds(open(), columns), call)
  for (i in seq_along(columns)) {
    name <- columns[[i]]
    like <- arrow_prototypes[[kinds[[i]]]]
    check_readable(like, domain[[name]]$type %||% "id", domain[[name]], name, call)
  }
  structure(list(
    engine = "Arrow", stream = open,
    analyse = function(sql, call) from_core(core_arrow_kinds(open(), columns), call)
  ), class = "dp_engine")
}

# Vectors of the kinds in which the core keeps columns.
arrow_prototypes <- list(
  logical = logical(), whole = integer(), real = double(), text = character(),
  date = structure(double(), class = "Date")
)
