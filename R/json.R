#' Objects as text
#'
#' Writes how an object was built as JSON, and builds it again from that. The text is public: it
#' holds arguments of constructors, never data and never randomness.
#'
#' `saveRDS()`, `save()`, `serialize()` and everything that uses them, such as parallel workers,
#' need none of this: a framework object, or a statistic such as [dpMean()], that comes from there
#' builds itself anew when it is first used, functions of the caller included, with the features
#' that its promises need. A queryable does not, since it could spend its budget a second time.
#'
#' A statistic holds no budget: who keeps one charges it for each release of each copy. Two copies
#' that both release cost twice.
#'
#' @section Format: A node is a JSON object with a `_type`:
#'
#'   | `_type` | other keys | is |
#'   |---|---|---|
#'   | `"constructor"` | `name`, `module`, `kwargs` | what the constructor returns |
#'   | `"statistic"` | `name`, `kwargs` | a statistic, such as [dpMean()] makes |
#'   | `"part"` | `name`, `of` | a part of another object: `output_domain`, `measurement` |
#'   | `"map"` | `d_in`, `of` | the profile or curve in the loss of another object at `d_in` |
#'   | `"reference"` | `to` | the node of `shared` at this position, counted from 1 |
#'   | `"type"` | `value` | a [type descriptor][type_descriptors] |
#'   | `"list"` | `value`, `names` | a list |
#'   | `"logical"`, `"character"`, `"raw"` | `value`, `names` | a vector |
#'   | `"integer"`, `"double"`, `"integer64"` | `value`, `names` | a vector of numbers |
#'
#'   The outermost node has two keys more: `version`, which is 1, and, unless it would be empty,
#'   `shared`, an array of the nodes that occur more than once. Each refers only to nodes before it.
#'
#'   The keys of `kwargs` are the arguments of the constructor, defaults included, without the dot
#'   that some begin with. Those of a statistic are in their plain form: a matrix of bounds is a
#'   list of pairs, a formula its text. `names` is there if the vector has names. `value` is an
#'   array, for raw bytes a string of hexadecimal digits. In it `null` is a missing value. A double
#'   is a number with as many digits as it takes to read the same one, or one of the strings
#'   `"Inf"`, `"-Inf"`, `"NaN"` and `"-0"`; a 64-bit integer is a string of decimal digits. A single
#'   logical value or string stands for itself, and `null` for `NULL`. Numbers never do: JSON does
#'   not distinguish `1L` from `1`.
#'
#'   `object("json")` and `object$json` give the same text; `object("log")` gives its outermost node
#'   as a list, in which arguments are R objects.
#' @section Trust: `from_json()` calls nothing but the package's exported constructors, those of
#'   statistics among them, with the features that are enabled. A text from somebody else can still
#'   describe another object than it is said to: look at its maps.
#' @param x (framework object or statistic) A domain, metric, measure, transformation, measurement,
#'   odometer, postprocessor, the privacy profile or curve that a map returned, or a statistic, such
#'   as [dpMean()] makes; of that the plan is written, not what it released.
#' @param pretty (`logical(1)`) Whether to break lines and indent.
#' @param text (`character`) The text; several strings are its lines.
#' @returns `to_json()`: `character(1)`, UTF-8. `from_json()`: the object. It prints and maps as the
#'   first one did, and gives the same text; a statistic has not released yet.
#' @section Errors: `to_json()`: `dp_error_serialization` if a function of the caller is in it, or
#'   an R object for which there is no node. `from_json()`: `dp_error_serialization` if the text is
#'   not in this format, or names something else than a constructor; and those of the constructors,
#'   such as `dp_error_missing_feature`.
#' @examples
#' enable_features("contrib")
#' noisy <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance()) |>
#'   then_sum() |>
#'   then_laplace(scale = 20)
#' text <- to_json(noisy, pretty = TRUE)
#' cat(text)
#' from_json(text)(d_in = 1L)
#'
#' path <- tempfile(fileext = ".rds")
#' saveRDS(noisy, path)
#' readRDS(path)(d_in = 1L)
#'
#' mean_age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' from_json(to_json(mean_age))$release(PUMS5extract10000)
#' @export
to_json <- function(x, pretty = FALSE) {
  if (!is_planned(x)) {
    stop_argument("a framework object or a statistic", describe(x), "x", environment())
  }
  check_flag(pretty)
  repeated <- repeated_objects(x)
  positions <- stats::setNames(seq_along(repeated), vapply(repeated, address_of, ""))
  shared <- lapply(repeated, json_object, positions)
  head <- c(list(version = json_version), if (length(shared)) list(shared = shared))
  text <- jsonlite::toJSON(c(head, json_object(x, positions)),
    auto_unbox = TRUE, null = "null", json_verbatim = TRUE, pretty = pretty
  )
  enc2utf8(as.character(text))
}

#' @rdname to_json
#' @export
from_json <- function(text) {
  node <- parse_json_text(text)
  check_json(identical(node$version, json_version), "`version` must be 1.")
  check_json(!anyDuplicated(names(node)), "a key occurs twice.")
  objects <- list()
  for (shared in elements_of(node$shared %||% list())) {
    objects <- c(objects, list(check_json_object(value_of_node(shared, objects))))
  }
  check_json_object(value_of_node(node[!names(node) %in% c("version", "shared")], objects))
}

json_version <- 1L

# An object occurs many times in a chain, each step of which takes its spaces from the one before.
repeated_objects <- function(x) {
  node <- explicit_plan(x)
  behind <- objects_behind(node, node_of = explicit_plan)
  used <- unlist(lapply(c(list(node), lapply(behind, explicit_plan)), function(node) {
    vapply(objects_in(node), address_of, "")
  }))
  behind[vapply(behind, address_of, "") %in% used[duplicated(used)]]
}

# The node of an object; `positions` are those of the shared objects, named by address.
json_node <- function(x, positions) {
  address <- address_of(x)
  if (address %in% names(positions)) {
    list(`_type` = "reference", to = positions[[address]])
  } else {
    json_object(x, positions)
  }
}

json_object <- function(x, positions) {
  log <- published_log(x)
  if (!is.null(log$kwargs)) {
    log$kwargs <- json_arguments(log$kwargs, log$name, positions)
  } else {
    log$of <- json_node(log$of, positions)
    if (log$`_type` == "map") log$d_in <- json_value(log$d_in, "`d_in` of a map", positions)
  }
  log
}

json_arguments <- function(args, constructor, positions) {
  nodes <- Map(function(value, name) {
    json_value(value, paste0("`", name, "` of ", constructor, "()"), positions)
  }, args, names(args))
  # An empty object is {}; an empty list would be [].
  if (length(nodes)) nodes else stats::setNames(list(), character())
}

# Reading -----------------------------------------------------------------------------------------

# More than anything nests, since what is repeated is written once; and few enough for the stack.
json_depth <- 200

parse_json_text <- function(text) {
  if (!is.character(text) || is.object(text) || anyNA(text)) {
    stop_argument("JSON text", describe(text), "text", rlang::caller_env())
  }
  text <- enc2utf8(paste(text, collapse = "\n"))
  check_json(validUTF8(text), "the text is not UTF-8.")
  check_json(depth_of_json(text) <= json_depth, "the text is nested too deeply.")
  # parse_json() takes text only, where fromJSON() would open a file or an address.
  node <- or_else(jsonlite::parse_json(text))
  check_json(is.list(node) && !is.null(names(node)), "the text is not a JSON object.")
  node
}

depth_of_json <- function(text) {
  outside <- gsub('"(?:[^"\\\\]++|\\\\.)*+"', "", text, perl = TRUE)
  bytes <- charToRaw(outside)
  opened <- bytes %in% charToRaw("{[")
  closed <- bytes %in% charToRaw("}]")
  max(0, cumsum(opened - closed))
}

check_json <- function(holds, sentence) {
  if (!isTRUE(holds)) stop_dp("{sentence}", "serialization", call = quote(from_json()))
}

check_keys <- function(node, required, optional = character()) {
  keys <- names(node)
  check_json(
    !anyDuplicated(keys) && all(required %in% keys) && all(keys %in% c(required, optional)),
    "a node has other keys than its type."
  )
}

check_json_object <- function(x) {
  check_json(is_planned(x), "a node must be an object of the framework or a statistic.")
  x
}

# Nodes that stand for objects, and what is read of each.
json_objects <- list(
  constructor = function(node, objects) {
    check_keys(node, c("_type", "name", "module", "kwargs"))
    object <- call_constructor(check_constructor(node$name), node$kwargs, objects)
    check_json(
      identical(node$module, module_of(plan_of(object)$constructor)),
      "`module` must be that of the constructor."
    )
    object
  },
  statistic = function(node, objects) {
    check_keys(node, c("_type", "name", "kwargs"))
    check_json(is_statistic_name(node$name), "there is no such statistic.")
    call_constructor(node$name, node$kwargs, objects)
  },
  part = function(node, objects) {
    check_keys(node, c("_type", "name", "of"))
    of <- check_json_object(value_of_node(node$of, objects))
    parts <- if (is_statistic(of)) "measurement" else object_parts
    check_json(is_string(node$name) && node$name %in% parts, "there is no such part.")
    if (is_statistic(of)) of$measurement else of(node$name)
  },
  map = function(node, objects) {
    check_keys(node, c("_type", "d_in", "of"))
    of <- value_of_node(node$of, objects)
    check_json(inherits(of, "measurement"), "a map must be that of a measurement.")
    object <- object_in(of(d_in = value_of_node(node$d_in, objects)))
    check_json(!is.null(object), "a map must be one to a profile or a curve.")
    object
  },
  reference = function(node, objects) {
    check_keys(node, c("_type", "to"))
    check_json(
      is_number(node$to) && node$to %in% seq_along(objects), "a reference must be to a node before."
    )
    objects[[node$to]]
  },
  type = function(node, objects) {
    check_keys(node, c("_type", "value"))
    check_json(is_string(node$value), "a type must be a string.")
    rt_parse(node$value)
  }
)

object_parts <- c(
  "input_domain", "input_metric", "output_domain", "output_metric", "output_measure", "function"
)

call_constructor <- function(name, kwargs, objects) {
  constructor <- get(name, topenv())
  arguments <- setdiff(names(formals(constructor)), "...")
  check_json(
    is.list(kwargs) && !is.null(names(kwargs)) && !anyDuplicated(names(kwargs)) &&
      all(names(kwargs) %in% published_name(arguments)),
    paste0("`kwargs` must be arguments of ", name, "().")
  )
  given <- arguments[match(names(kwargs), published_name(arguments))]
  args <- stats::setNames(lapply(kwargs, value_of_node, objects), given)
  if (is_statistic_name(name)) args <- with_later(name, args)
  do.call(constructor, args, quote = TRUE)
}
