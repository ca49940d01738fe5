# Progress bars. The core reports how far a pass over data has come if it takes more than two
# seconds; what it reports depends on the number of rows and on the clock, not on the rows.
#
# Of rows that come from elsewhere nobody knows how many there are, and their number is private if
# it is not declared. A bar with a total would need a count, and one of rows, chunks or bytes would
# show it: so there is none, and what turns says that rows come and for how long. An engine that
# counts for itself is waited for, which nothing can interrupt to draw: one line says so.

progress <- new.env()

# Whether anybody looks.
wants_progress <- function() isTRUE(getOption("PSIlence.progress", interactive()))

# Called by the core while it works: `share` of a pass is done, NA of one whose length is unknown,
# all of it for the last time.
show_progress <- function(share) {
  ended <- identical(share, 1)
  if (is.null(progress$bar) && (ended || !wants_progress())) return(invisible())
  if (ended) {
    bar <- progress$bar
    progress$bar <- NULL
    return(cli::cli_progress_done(id = bar))
  }
  if (is.null(progress$bar)) {
    # The core has waited already.
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

# `body`, beneath a line that says for whom it waits, if for anybody. The name of an engine is
# public.
while_waiting <- function(engine, body) {
  if (!is.null(engine) && wants_progress()) {
    line <- cli::cli_progress_message("{engine} {?is/are} counting", .auto_close = FALSE)
    on.exit(cli::cli_progress_done(id = line))
  }
  body
}
