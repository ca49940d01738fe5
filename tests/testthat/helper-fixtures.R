# Rows of a fixture as strings, so numbers keep all digits until a test reads them.
read_fixture <- function(name) {
  utils::read.csv(
    testthat::test_path("fixtures", name),
    colClasses = "character", na.strings = character(), check.names = FALSE
  )
}

# Rows of the privacy map oracle for these `constructors`.
privacy_map_rows <- function(constructors) {
  rows <- read_fixture("privacy_maps.csv")
  rows[rows$constructor %in% constructors, ]
}

# Formals that the framework publishes for a function.
published_formals <- function(name) {
  rows <- read_fixture("r_api.csv")
  args <- rows$args[rows$name == name]
  stopifnot(length(args) == 1)
  formals(eval(parse(text = paste0("function(", args, ") NULL"))))
}

# Arguments that this package appends to the published ones, with their defaults.
added_formals <- list(
  bitvector_domain = alist(size = NULL),
  make_split_records = alist(quote = "\"", header = FALSE),
  then_split_records = alist(quote = "\"", header = FALSE),
  make_split_dataframe = alist(quote = "\"", header = FALSE),
  then_split_dataframe = alist(quote = "\"", header = FALSE)
)

expected_formals <- function(name) {
  as.pairlist(c(as.list(published_formals(name)), added_formals[[name]]))
}
