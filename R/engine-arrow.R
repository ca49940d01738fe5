# Private rows as Arrow batches: streams and batches of package nanoarrow, tables, readers and
# datasets of package arrow, and other objects that return an Arrow stream. The core reads each
# batch in place and keeps none.

is_arrow <- function(data) {
  !is.data.frame(data) && (inherits(data, arrow_classes) || gives_arrow_stream(data))
}

arrow_classes <- c(
  "nanoarrow_array_stream", "nanoarrow_array", "ArrowTabular", "RecordBatchReader", "Dataset",
  "arrow_dplyr_query", "Scanner"
)

# Packages register such methods for their table classes.
gives_arrow_stream <- function(data) {
  is.object(data) && requireNamespace("nanoarrow", quietly = TRUE) &&
    any(vapply(setdiff(class(data), "default"), function(class) {
      !is.null(utils::getS3method("as_nanoarrow_array_stream", class,
        optional = TRUE, envir = asNamespace("nanoarrow")
      ))
    }, NA))
}

arrow_rows <- function(data, unit, domain, execute, rows, call) {
  needs_packages("nanoarrow", call)
  check_streamed("R must read Arrow data", execute, rows, call)
  check_arrow_itself(data, call)
  columns <- unique(c(names(domain), unit$id))
  source <- arrow_or_stop(arrow_source(data, columns), call)
  check_arrow_zones(source, unit, domain, call)
  table <- new_engine_table("Arrow", NULL, "`data`", columns, source = source)
  table <- described_table(table, call)
  kinds <- table$schema$columns$type
  for (i in seq_along(columns)) {
    name <- columns[[i]]
    type <- arrow_types[[kinds[[i]]]]
    if (name %in% names(domain)) check_column("Arrow", type, domain[[name]], name, call)
    if (name %in% unit$id) check_column("Arrow", type, NULL, name, call)
  }
  engine <- streamed_engine(table, function() list(stream = source$open(), close = function() NULL))
  types <- arrow_types[kinds[match(names(domain), columns)]]
  engine$rounded <- rounded_columns("Arrow", types, domain)
  engine
}

# Date-times with a zone raise an error with the code that converts them to days.
check_arrow_zones <- function(source, unit, domain, call) {
  schema <- arrow_or_stop(source$peek()$get_schema(), call)
  for (name in names(schema$children)) {
    if (!grepl("^ts[smun]:.", schema$children[[name]]$format)) next
    type <- "timestamp with time zone"
    if (name %in% names(domain)) check_column("Arrow", type, domain[[name]], name, call)
    if (name %in% unit$id) check_column("Arrow", type, NULL, name, call)
  }
}

#' @exportS3Method
engine_schema.arrow_table <- function(table, call) { # nolint: object_name_linter.
  stream <- arrow_or_stop(table$source$peek(), call)
  kinds <- from_core(core_arrow_kinds(stream, table$names), call)
  list(
    path = table$path, kind = "Arrow data", columns = data.frame(name = table$names, type = kinds)
  )
}

# Errors of other packages can contain rows, so their messages are not shown.
arrow_or_stop <- function(body, call) {
  or_else(suppressWarnings(suppressMessages(body)), function(error) {
    stop_query("source", "Cannot read an Arrow stream from `data`.", call = call)
  })
}

# `peek()` returns a stream for its schema, `open()` the stream to read.
arrow_source <- function(data, columns) {
  if (inherits(data, "Dataset")) {
    schema <- nanoarrow::as_nanoarrow_schema(data$schema)
    return(list(
      peek = function() nanoarrow::basic_array_stream(list(), schema),
      open = function() scan_dataset(data, columns)
    ))
  }
  # A stream, and the stream of a reader, is the same object each time. Batches and tables open a
  # new stream.
  if (inherits(data, "RecordBatchReader")) data <- nanoarrow::as_nanoarrow_array_stream(data)
  open <- function() nanoarrow::as_nanoarrow_array_stream(data)
  list(peek = open, open = open)
}

# Other columns are not read from the files.
scan_dataset <- function(dataset, columns) {
  scan <- dataset$NewScan()
  scan$UseThreads()
  scan$Project(columns)
  nanoarrow::as_nanoarrow_array_stream(scan$Finish()$ToRecordBatchReader())
}

check_arrow_itself <- function(data, call) {
  if (inherits(data, c("arrow_dplyr_query", "Scanner"))) {
    refuse_verbs("the dataset or the Arrow table", call)
  }
  if (inherits(data, "Dataset")) check_arrow_files(data, call)
}

# A line can fail to parse, and column types are guessed from rows.
check_arrow_files <- function(dataset, call) {
  for (part in dataset$children) check_arrow_files(part, call)
  format <- dataset$format$type
  if (!is.null(format) && !format %in% c("parquet", "ipc", "orc")) {
    stop_query("source", paste0("The dataset is of ", format, " files, which can fail at a line."),
      "Load them with `dp_load_files()`, or write Parquet files: `arrow::write_dataset()`.", call
    )
  }
}

# An Arrow type for each kind that the core reads.
arrow_types <- c(
  logical = "bool", whole = "int64", real = "double", text = "string", date = "date32",
  moment = "timestamp"
)
