# Stand-ins for package arrow, which takes half an hour to compile. They implement the part of its
# interface that queries use: a dataset of files, its scans and their readers. They show which calls
# are made, not that package arrow answers them.

# `files` are data frames with the same columns. `seen` records the requests of each scan.
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

# Returns its batches once, like arrow's readers.
reader_of <- function(batches) {
  stream <- nanoarrow::basic_array_stream(unname(lapply(batches, nanoarrow::as_nanoarrow_array)))
  structure(
    list(export_to_c = function(to) nanoarrow::nanoarrow_pointer_move(stream, to)),
    class = c("RecordBatchReader", "ArrowObject")
  )
}

# A stream of `times` identical batches.
repeated_batch <- function(data, times) {
  nanoarrow::basic_array_stream(
    rep(list(nanoarrow::as_nanoarrow_array(data)), times), validate = FALSE
  )
}
