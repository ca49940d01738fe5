# Secrets, one object of each class made beside them, and everything that R can write of objects.

secret_number <- 7417.3391
secret_text <- "zq9_secret"

# Possible written forms of a secret. For a key of 32 random bytes, the first eight suffice.
forms_of_bytes <- function(bytes) {
  first <- as.character(utils::head(bytes, 8))
  list(
    utils::head(bytes, 8), charToRaw(paste(first, collapse = "")),
    charToRaw(paste0("0x", first, collapse = ", ")), charToRaw(paste(first, collapse = "\n")),
    charToRaw(paste(first, collapse = " "))
  )
}

forms_of_secrets <- function(key = NULL) {
  number <- writeBin(secret_number, raw())
  hidden <- if (!is.null(key)) core_hidden(key$secrets)
  keys <- lapply(list(as.list(hidden$private)$data, hidden$chain), forms_of_bytes)
  c(
    list(number, rev(number), charToRaw("7417.3"), charToRaw(secret_text)),
    if (!is.null(key)) unlist(keys, recursive = FALSE)
  )
}

# Names of the texts, in bytes or lines, that hold a secret.
holding_secrets <- function(written, forms) {
  names(Filter(function(bytes) {
    if (!is.raw(bytes)) bytes <- charToRaw(enc2utf8(paste(bytes, collapse = "\n")))
    any(vapply(forms, function(form) length(grepRaw(form, bytes, fixed = TRUE)) > 0, NA))
  }, written))
}

bytes_in <- function(write) {
  file <- withr::local_tempfile()
  write(file)
  readBin(file, "raw", file.size(file))
}

# Written forms of an object by R and this package, as bytes or lines. A writer can return an error.
written_forms <- function(x) {
  lines_of <- function(code) tryCatch(utils::capture.output(code), error = function(error) "")
  text_of <- function(code) tryCatch(as.character(code), error = conditionMessage)
  # R warns if it cannot read back its text of an object.
  suppressWarnings(list(
    serialize = serialize(x, NULL), bytes = serialize(x, NULL, xdr = FALSE),
    ascii = serialize(x, NULL, ascii = TRUE), old = serialize(x, NULL, version = 2),
    saveRDS = bytes_in(function(file) saveRDS(x, file, compress = FALSE)),
    save = bytes_in(function(file) save(x, file = file, compress = FALSE)),
    dump = bytes_in(function(file) dump("x", file)),
    dput = lines_of(dput(x)), all = lines_of(dput(x, control = "all")),
    str = lines_of(utils::str(x)), print = lines_of(print(x)), default = lines_of(print.default(x)),
    format = text_of(format(x)), toString = text_of(toString(x)), summary = lines_of(summary(x)),
    to_json = text_of(to_json(x)), release2json = text_of(release2json(x)),
    json = text_of(jsonlite::serializeJSON(x)),
    environment = if (is.function(x)) serialize(environment(x), NULL) else raw()
  ))
}

# At least one object of each class, made in a frame that holds data, keys and passwords. Ledgers
# are in the folder.
objects_beside_secrets <- function(key, folder) {
  password <- secret_text
  rows <- data.frame(
    id = paste0(secret_text, 1:40), x = secret_number, y = rep(0:1, 20), z = rep(0:1, 20),
    g = c("a", "b"), v = secret_number + 1:40
  )
  domain <- dp_domain(g = dp_levels("a", "b"), x = dp_num(0, 1e4))
  ledger <- create_ledger(file.path(folder, "a"), "survey", dp_unit(id = id), dp_epsilon(10),
    version = "1", key = key
  )
  watched <- dp_ledger(file.path(folder, "a"), key = key, witness = function(head) password)
  session <- dp_session(ledger = watched)
  table <- dplyr::filter(dp_tbl(session, rows, dp_unit(id = id), domain), x > !!1)
  capped <- dplyr::mutate(dp_truncate(table, max_rows = 1), w = x / 2)
  query <- dplyr::summarise(dplyr::group_by(capped, g), n = dp_count(), m = dp_mean(w, c(0, 1)))
  released <- suppressMessages(release(query, epsilon = 1))
  model <- dp_lm(capped, x ~ g)
  modelled <- suppressMessages(suppressWarnings(release(model, epsilon = 1)))
  grouped <- dp_cov(dplyr::group_by(capped, g), x)
  grouped <- suppressMessages(suppressWarnings(release(grouped, epsilon = 1)))
  tables <- dp_tables(dp_tbl(dp_session(dp_zcdp(1)), rows, dp_unit(rows = 1), domain), dp_cross(g))
  counts <- release(tables, rho = 0.1)
  receipt <- dp_receipt(released)
  alone <- dp_session(dp_epsilon(1))
  counted <- dplyr::summarise(dp_tbl(alone, rows, dp_unit(rows = 1), domain), n = dp_count())
  measurement <- noisy_count()
  of_rows <- create_ledger(file.path(folder, "rows"), "survey", dp_unit(rows = 1), dp_epsilon(10),
    version = "1", key = key
  )
  charged <- charge(measurement, of_rows, d_in = 1L)
  charged(rows$x)
  numbers <- vector_domain(atom_domain(.T = "f64"))
  constant <- function(x) if (is.numeric(x)) 1 else 2
  profile <- new_privacy_profile(function(epsilon) if (epsilon > 1) 0 else 1)
  renyi <- make_pureDP_to_RDP(make_laplace(
    atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64"), scale = 1
  ))
  odometer <- make_fully_adaptive_composition(
    numbers, symmetric_distance(), max_divergence()
  )
  queryable <- make_adaptive_composition(
    numbers, symmetric_distance(), max_divergence(), d_in = 1L, d_mids = 1
  )
  keyed <- make_count_by(
    vector_domain(atom_domain(.T = "String")), symmetric_distance(), .TV = "i32"
  )
  statistics <- statistics_beside_secrets(rows)
  c(
    list(
      key = key, ledger = ledger, watched = watched, session = session, alone = alone,
      table = table, query = query, released = released, model = model, modelled = modelled,
      grouped = grouped, published = dp_publish(released), tables = tables, counts = counts,
      errors = summary(counts), cross = dp_cross(g), breaks = dp_breaks(4),
      receipt = receipt, history = dp_history(ledger), values = new_values(list(c(a = 1))),
      about = summary(released), checks = verify_release(receipt, ledger),
      planned = planned_query(query, dp_epsilon(1), 0.05), written = from_json(to_json(query)),
      written_batch = from_json(to_json(dp_batch(session, a = query))),
      plan = dp_batch(session, a = query, b = dplyr::summarise(capped, n = dp_count())),
      released_batch = release(dp_batch(session, a = query), epsilon = 1),
      planned_batch = release_form(
        batch_with_cost(dp_batch(session, a = query), dp_epsilon(1), 0.05, NULL)
      ),
      prepared = query_with_cost(query, dp_epsilon(1), 0.05, NULL),
      prepared_batch = batch_with_cost(dp_batch(session, a = query), dp_epsilon(1), 0.05, NULL),
      measured = at_distance(measurement, 1L),
      preview = dp_preview(query, epsilon = 1), counted = release(counted, epsilon = 0.1),
      checked = dp_check(dp_tbl(alone, rows, dp_unit(rows = 1), domain), epsilon = 0.1),
      missing = dplyr::filter(dp_tbl(alone, NULL, dp_unit(rows = 1), domain), g == "a"),
      shards = dp_shards(a = rows, b = rows, split_by_id = TRUE),
      draft = dp_schema_draft(rows), column = dp_int(0, 1), dropped = dp_drop(), domain = domain,
      unit = dp_unit(id = id), loss = dp_epsilon(1),
      events = privacy_events(measurement, d_in = 1L),
      place = dp_postgres(function() stop(password)), charged = charged,
      measurement = measurement, space = measurement("input_domain"),
      metric = measurement("input_metric"), measure = measurement("output_measure"),
      body = measurement_function(measurement),
      transformation = make_user_transformation(
        numbers, symmetric_distance(), numbers, symmetric_distance(), constant, function(d) d
      ),
      user = make_user_measurement(
        numbers, symmetric_distance(), max_divergence(), constant, function(d_in) 1
      ),
      shown = then_postprocess(measurement, constant),
      attached = user_domain("rows", constant), profile = profile,
      curve = renyi(d_in = 1), stability = counting_query_stability_map(),
      odometer = odometer, asked = odometer(arg = rows$x), queryable = queryable(arg = rows$x),
      answers = new_queryable(function(query) password), type = rt_parse("Vec<i32>"),
      hashtab = new_hashtab(c("a", "b"), 1:2), counts = keyed(arg = c("a", "b")),
      summary = summary(measurement), calibrated = calibrate(
        function(scale) noisy_count(scale), d_in = 1L, d_out = 1
      ),
      choice = aggregator_median(11), dry = dry_run(statistics$blocks, data.frame(x = 1:10)),
      bounds = bounds(), generator = dpMean, pairs = dp_neighbours(c(0, 1), n = 4),
      run = dp_audit_run(function(data) 0, data.frame(x = 1:4), function(release, canary) 0,
        dp_epsilon(1)
      ),
      stability_check = check_stability(constant, vector_domain(atom_domain(bounds = c(0, 1))),
        symmetric_distance(), discrete_distance(), function(d) d, pairs = 10
      ),
      audit = dp_audit(measurement, list(list(c(0, 1), 0)), d_in = 1L, draws = 200),
      mechanism = mechanismLaplace(varType = "numeric", rng = c(0, 1), epsilon = 1)
    ),
    statistics, lapply(statistics, function(statistic) statistic$result)
  )
}

# Every statistic, released, and the statistics whose formula or function sees the frame.
statistics_beside_secrets <- function(rows) {
  built <- lapply(stats::setNames(nm = names(valid_arguments)), function(name) {
    suppressWarnings(do.call(generator_of(name), valid_arguments[[name]]))
  })
  formulas <- list(
    model = dpLM(y ~ x, n = 10, rng = list(bounds(), c(0, 1)), epsilon = 1),
    derived = dpLM(y ~ I(x^2), n = 10, rng = list(y = c(0, 1), x = c(0, 1)), epsilon = 1),
    logit = dpGLM(formula = y ~ x, n = 10, rng = list(y = c(0, 1), x = bounds()),
      objective = "logit", epsilon = 1),
    covariance = dpCovariance(columns = c("x", "y"), n = 10, rng = list(bounds(), c(0, 1)),
      globalEps = 1, formula = y ~ x, intercept = TRUE),
    classes = dpNaiveBayes(z ~ x + y, n = 10, rng = list(bounds(), c(0, 1)), levels = 0:1,
      epsilon = 1),
    blocks = dpSampleAndAggregate(
      innerFun = function(x) max(x), aggregationFun = "Median", numSubsets = 2, n = 10,
      varType = "numeric", variable = "x", rng = c(0, 1), outputRange = c(0, 1), epsilon = 1
    )
  )
  all <- c(built, formulas)
  first <- rows[1:10, ]
  for (name in names(all)) {
    of_texts <- "character" %in% valid_arguments[[name]]$varType || grepl("Contingency", name)
    data <- if (of_texts) transform(first, x = g) else first
    suppressWarnings(all[[name]]$release(data))
  }
  all
}
