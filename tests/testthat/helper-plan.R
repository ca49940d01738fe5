# What must survive when an object is built again: how it prints, and what its map says.

# One of each exported constructor that is not called make_*.
space_examples <- function() {
  ints <- atom_domain(.T = "i32")
  list(
    atom_domain = atom_domain(bounds = c(-0.1, 1 / 3), nan = TRUE),
    option_domain = option_domain(ints),
    vector_domain = vector_domain(ints, size = 7),
    map_domain = map_domain(atom_domain(.T = "String"), ints),
    bitvector_domain = bitvector_domain(max_weight = 3L, size = 8),
    user_domain = user_domain("Even", \(x) x %% 2 == 0, descriptor = list(a = 1)),
    symmetric_distance = symmetric_distance(),
    insert_delete_distance = insert_delete_distance(),
    change_one_distance = change_one_distance(),
    hamming_distance = hamming_distance(),
    discrete_distance = discrete_distance(),
    absolute_distance = absolute_distance(.T = f64),
    l1_distance = l1_distance("i32"),
    l2_distance = l2_distance("f32"),
    linf_distance = linf_distance("f64", monotonic = TRUE),
    l01inf_distance = l01inf_distance(absolute_distance("i32")),
    l02inf_distance = l02inf_distance(absolute_distance("i32")),
    user_distance = user_distance("mine"),
    max_divergence = max_divergence(),
    zero_concentrated_divergence = zero_concentrated_divergence(),
    renyi_divergence = renyi_divergence(),
    smoothed_max_divergence = smoothed_max_divergence(),
    approximate = approximate(max_divergence()),
    user_divergence = user_divergence("mine", descriptor = list(x = c(a = 1L), y = NULL)),
    new_privacy_profile = new_privacy_profile(\(epsilon) exp(-epsilon)),
    new_function = new_function(\(x) x, "ExtrinsicObject"),
    compose_pld = compose_pld(number_of("i32") |> then_laplace(4), d_in = 1L, times = 3)
  )
}

built_examples <- function() {
  examples <- all_examples()
  made <- lapply(stats::setNames(nm = names(examples)), function(name) {
    built_by(name, examples[[name]])
  })
  c(made, space_examples())
}

# The parts of objects, which are objects too.
part_examples <- function(objects) {
  parts <- lapply(objects, function(object) {
    names <- switch(class(object)[[1]],
      transformation = c("input_domain", "output_metric", "function"),
      measurement = c("input_metric", "output_measure", "function")
    )
    lapply(stats::setNames(nm = names), object)
  })
  unlist(parts, recursive = FALSE)
}

# All that can be asked of an object in public; errors are answers too.
public_face <- function(object) {
  answer <- function(d_in) {
    result <- tryCatch(object(d_in = d_in), error = identity)
    if (inherits(result, "error")) {
      c(class(result)[[1]], conditionMessage(result))
    } else {
      plain(result)
    }
  }
  distances <- if ("d_in" %in% names(formals(object))) {
    list(0L, 1L, 2L, 7L, 0, 0.3, 4, list(1L, 2L, 3L), Inf, "a")
  }
  list(
    class = class(object), shown = toString(object), answers = lapply(distances, answer),
    profile = if (inherits(object, "privacy_profile")) plain(object),
    carrier = if (inherits(object, "domain")) object("carrier_type"),
    distance = if (inherits(object, c("metric", "measure"))) object("distance_type")
  )
}

plain <- function(distance) {
  if (is.list(distance)) {
    lapply(distance, plain)
  } else if (inherits(distance, "privacy_profile")) {
    list(distance(epsilon = 0.7), distance(delta = 1e-5))
  } else {
    distance
  }
}

saved_and_loaded <- function(x) unserialize(serialize(x, NULL))

# What `code` makes of `input` in an R session of its own.
in_new_session <- function(input, code) {
  folder <- withr::local_tempdir()
  path <- function(name) file.path(folder, name)
  saveRDS(input, path("input.rds"))
  writeLines(c(
    paste0(".libPaths(", paste(deparse(.libPaths()), collapse = ""), ")"),
    "library(PSIlence)",
    "input <- readRDS('input.rds')",
    paste0("output <- {", code, "}"),
    "saveRDS(output, 'output.rds')"
  ), path("session.R"))
  withr::with_dir(folder, system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", "session.R"),
    stdout = "log", stderr = "log"
  ))
  if (!file.exists(path("output.rds"))) stop(readLines(path("log")))
  readRDS(path("output.rds"))
}

# Objects whose arguments hold a function of the user's have no JSON form; of all others every one
# must have.
has_function <- c(
  "make_user_transformation", "make_user_measurement", "make_chain_pm", "user_domain",
  "new_privacy_profile", "new_function"
)
