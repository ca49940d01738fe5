# Objects with as much of the interface of package arrow, which takes half an hour to compile, as
# queries ask for: a dataset of files, its scans, and the readers that these give. They show what
# calls are made, not that package arrow answers them.

# `files` are data frames of the same columns. `seen` gets what is asked for, scan by scan.
dataset_of <- function(files, seen = new.env(), format = "parquet") {
  seen$scans <- list()
  new_scan <- function() {
    scan <- list2env(list(columns = names(files[[1]]), threads = FALSE))
    seen$scans <- c(seen$scans, scan)
    list(
      UseThreads = function(threads = TRUE) scan$threads <- threads,
      Project = function(cols) scan$columns <- cols,
      Finish = function() {
        list(ToRecordBatchReader = function() {
          reader_of(lapply(files, `[`, scan$columns))
        })
      }
    )
  }
  structure(
    list(
      schema = nanoarrow::infer_nanoarrow_schema(files[[1]]), format = list(type = format),
      NewScan = new_scan
    ),
    class = c("FileSystemDataset", "Dataset", "ArrowObject")
  )
}

# Gives its batches once, as arrow's readers do.
reader_of <- function(batches) {
  stream <- nanoarrow::basic_array_stream(unname(lapply(batches, nanoarrow::as_nanoarrow_array)))
  structure(
    list(export_to_c = function(to) nanoarrow::nanoarrow_pointer_move(stream, to)),
    class = c("RecordBatchReader", "ArrowObject")
  )
}

# A stream of `times` batches, all of them the same.
repeated_batch <- function(data, times) {
  nanoarrow::basic_array_stream(
    rep(list(nanoarrow::as_nanoarrow_array(data)), times), validate = FALSE
  )
}
