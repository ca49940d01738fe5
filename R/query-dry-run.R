# Runs a query on public rows in a separate session.

made_up_rows <- 1000

#' @export
dry_run.dp_query <- function(statistic, public_data = NULL, # nolint: object_name_linter.
                             blocks = NULL) {
  call <- environment()
  if (!is.null(blocks)) stop_argument("left out for a query", describe(blocks), "blocks", call)
  table <- tbl_data(statistic$table)
  if (is.null(public_data)) public_data <- dp_made_up(table$domain, made_up_rows, table$unit)
  begun <- proc.time()[["elapsed"]]
  tried <- tryCatch(list(result = released_apart(statistic, public_data, call)),
    dp_error_source = function(error) list(refused = conditionMessage(error)),
    dp_error_domain = function(error) list(refused = conditionMessage(error))
  )
  told <- list(
    refused = tried[["refused"]], blocks = NULL, results = NULL, result = tried[["result"]],
    seconds = proc.time()[["elapsed"]] - begun
  )
  structure(told, class = "dp_dry_run", name = paste("query", describe_query(statistic)))
}

released_apart <- function(query, data, call) {
  table <- tbl_data(query$table)
  source <- source_of(data, table$unit, table$domain, "auto", "may_leave", call)
  in_rho <- !is.null(table$session$loss$rho)
  loss <- if (in_rho) dp_zcdp(1, delta = 1e-6) else dp_epsilon(1, delta = 1e-6)
  session <- dp_session(loss)
  query$table <- with_tbl_data(query$table,
    session = session, rows = source$rows, engine = source$engine, shards = NULL,
    version = NULL
  )
  private_keys <- form_of_query(query)$keys$kind %in% c("threshold", "select")
  delta <- if (private_keys) 1e-6
  if (in_rho) {
    release(query, rho = 1, delta = delta, on = session)
  } else {
    release(query, epsilon = 1, delta = delta, on = session)
  }
}
