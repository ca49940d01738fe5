# Progress bars. The core reports how far a pass over data has come if it takes more than two
# seconds. Its reports depend on the number of rows and on the clock, not on the rows.
#
# For streamed rows, the total is unknown in advance, and private unless declared. A bar with a
# total would need a count, and a bar of rows, chunks or bytes would reveal it. So a spinner shows
# only that rows arrive and for how long. While an engine computes, R cannot draw, so one line says
# that it is busy.

progress <- new.env()

# Whether to show progress.
wants_progress <- function() isTRUE(getOption("PSIlence.progress", interactive()))

# Called by the core while it works. `share` is the share of a pass that is done, or NA if its
# length is unknown. The pass ends at 1.
show_progress <- function(share) {
  ended <- identical(share, 1)
  if (is.null(progress$bar) && (ended || !wants_progress())) return(invisible())
  if (ended) {
    bar <- progress$bar
    progress$bar <- NULL
    return(cli::cli_progress_done(id = bar))
  }
  if (is.null(progress$bar)) {
    # The core has already waited before its first report.
    before <- options(cli.progress_show_after = 0)
    on.exit(options(before))
    progress$bar <- begin_bar(is.na(share))
  }
  done <- if (is.na(share)) 1 else floor(100 * share)
  cli::cli_progress_update(set = done, id = progress$bar, force = TRUE)
}

begin_bar <- function(endless) {
  if (endless) {
    cli::cli_progress_bar(
      "Reading rows",
      total = NA, format = "{cli::pb_spin} {cli::pb_name}[{cli::pb_elapsed}]",
      .auto_close = FALSE, .envir = progress
    )
  } else {
    cli::cli_progress_bar(
      "Passing over the data",
      total = 100, .auto_close = FALSE, .envir = progress
    )
  }
}

# Runs `body` under a line that names the engine, if any. The name of an engine is public.
while_waiting <- function(engine, body) {
  if (!is.null(engine) && wants_progress()) {
    line <- cli::cli_progress_message("{engine} {?is/are} counting", .auto_close = FALSE)
    on.exit(cli::cli_progress_done(id = line))
  }
  body
}
