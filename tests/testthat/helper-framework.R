# Every constructor of the framework needs an enabled feature. These tests enable the features for
# their process and test what follows.
options(opendp_features = c("contrib", "honest-but-curious"))

# Counts calls of a user function in a file. Assignments by the function are undone, but its file
# writes are not.
call_counter <- function() {
  path <- tempfile()
  file.create(path)
  list(note = function() cat("*", file = path, append = TRUE), count = function() file.size(path))
}

condition_of <- function(expr) tryCatch(expr, error = identity)

integer64_of <- function(x) {
  core_integer64_from_text(if (is.numeric(x)) sprintf("%.0f", x) else as.character(x))
}

message_of <- function(expr) conditionMessage(tryCatch(expr, error = identity))

# Condition class of an error variant: "FailedCast" is dp_error_failed_cast.
class_of_variant <- function(variant) {
  kind <- names(error_variants)[error_variants == variant]
  stopifnot(length(kind) == 1)
  paste0("dp_error_", kind)
}

# Vectors of one type under a metric, the space that most constructors take.
rows_of <- function(type, metric = symmetric_distance(), ...) {
  c(vector_domain(atom_domain(.T = type), ...), metric)
}

bounded_rows <- function(bounds, metric = symmetric_distance(), ...) {
  c(vector_domain(atom_domain(bounds = bounds), ...), metric)
}

number_of <- function(type, distance = type) {
  c(atom_domain(nan = FALSE, .T = type), absolute_distance(.T = distance))
}

# Arguments of the catalogue's example for `step`.
example_arguments <- function(step) {
  eval(str2lang(sprintf("list(%s)", catalogue()[[step]]$example)), asNamespace("PSIlence"))
}

# Example of a step named make_*. `space` holds the arguments that its then_ form takes from the
# pipe, without names. `args` holds all others. The map accepts `distances`.
example_of <- function(step) {
  all <- example_arguments(step)
  in_space <- rlang::names2(all) == ""
  space <- if (any(in_space)) all[in_space]
  list(args = all[!in_space], space = space, d_in = distances_under(space[[2]]))
}

# Distances under `metric`, starting with zero. NULL is a metric that counts rows.
distances_under <- function(metric) {
  switch(sub("\\(.*", "", toString(metric)),
    L01InfDistance = ,
    L02InfDistance = lapply(0:6, rep, 3),
    DiscreteDistance = 0:1,
    0:6
  )
}

# Steps of these modules named make_*.
examples_in <- function(modules) {
  made <- Filter(function(row) row$module %in% modules, catalogue())
  lapply(stats::setNames(nm = grep("^make_", names(made), value = TRUE)), example_of)
}

# Former and second names are not steps. Each uses the example of its step, in some cases with
# floats instead.
second_names <- c(
  make_basic_composition = "make_composition",
  make_sequential_composition = "make_adaptive_composition",
  make_base_laplace = "make_laplace",
  make_base_discrete_laplace = "make_laplace",
  make_base_discrete_laplace_cks20 = "make_laplace",
  make_base_discrete_laplace_linear = "make_laplace",
  make_base_geometric = "make_laplace",
  make_base_gaussian = "make_gaussian",
  make_base_discrete_gaussian = "make_gaussian",
  make_base_laplace_threshold = "make_laplace_threshold",
  make_base_ptr = "make_laplace_threshold"
)

second_examples <- function() {
  examples <- lapply(second_names, example_of)
  for (name in c("make_base_laplace", "make_base_gaussian")) {
    examples[[name]]$space <- number_of("f64")
  }
  for (name in c("make_base_laplace_threshold", "make_base_ptr")) {
    counts <- map_domain(atom_domain(.T = "String"), number_of("f64")[[1]])
    examples[[name]]$space <- c(counts, l01inf_distance(absolute_distance("f64")))
    examples[[name]]$args$threshold <- 50
  }
  examples
}

# Valid arguments for every constructor of transformations and measurements.
constructor_examples <- function() {
  steps <- examples_in(c("transformations", "measurements", "combinators"))
  steps <- steps[!names(steps) %in% postprocessors]
  c(steps, second_examples())
}

# Valid arguments for every constructor of postprocessors, which have neither spaces nor maps.
postprocessors <- c("make_cdf", "make_consistent_b_ary_tree", "make_quantiles_from_counts")
postprocessor_examples <- function() lapply(stats::setNames(nm = postprocessors), example_of)

all_examples <- function() c(constructor_examples(), postprocessor_examples())

# Builds an example by its constructor. Arguments in `...` replace the example's.
built_by <- function(name, example = all_examples()[[name]], ...) {
  args <- utils::modifyList(c(unname(example$space), example$args), list(...), keep.null = TRUE)
  suppressWarnings(do.call(name, args, quote = TRUE), classes = "deprecatedWarning")
}
