# Progress bars. The core reports how far a pass over data has come if it takes more than two
# seconds; what it reports depends on the number of rows and on the clock, not on the rows.

progress <- new.env()

# Whether anybody looks.
wants_progress <- function() isTRUE(getOption("PSIlence.progress", interactive()))

# Called by the core while it works: `share` of a pass is done, all of it for the last time.
show_progress <- function(share) {
  if (is.null(progress$bar) && (share == 1 || !wants_progress())) return(invisible())
  if (share == 1) {
    bar <- progress$bar
    progress$bar <- NULL
    return(cli::cli_progress_done(id = bar))
  }
  if (is.null(progress$bar)) {
    # The core has waited already.
    before <- options(cli.progress_show_after = 0)
    on.exit(options(before))
    progress$bar <- cli::cli_progress_bar(
      "Passing over the data",
      total = 100, .auto_close = FALSE, .envir = progress
    )
  }
  cli::cli_progress_update(set = floor(100 * share), id = progress$bar, force = TRUE)
}
