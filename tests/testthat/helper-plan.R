# Facts that a rebuilt object must keep: its printed form and its map.

# One example for each exported step that is not named make_*, except statistics.
space_examples <- function() {
  steps <- grep("^make_", exported_steps(), value = TRUE, invert = TRUE)
  lapply(stats::setNames(nm = steps), function(step) {
    do.call(step, example_arguments(step), quote = TRUE)
  })
}

exported_steps <- function() intersect(names(catalogue()), getNamespaceExports("PSIlence"))

built_examples <- function() {
  examples <- all_examples()
  made <- lapply(stats::setNames(nm = names(examples)), function(name) {
    built_by(name, examples[[name]])
  })
  c(made, space_examples())
}

# Parts of objects, which are also objects.
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

# Everything that an object's public interface returns. Errors count as answers.
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
  } else if (inherits(distance, "renyi_curve")) {
    list(distance(alpha = 1.5), distance(alpha = 40))
  } else {
    distance
  }
}

saved_and_loaded <- function(x) unserialize(serialize(x, NULL))

# Result of applying `code` to `input` in a new R session.
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

# Objects whose arguments hold a user function have no JSON form. All others must have one.
has_function <- c(
  "make_user_transformation", "make_user_measurement", "make_chain_pm", "user_domain",
  "new_privacy_profile", "new_function"
)
