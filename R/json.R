#' Write objects as JSON and read them
#'
#' `to_json()` writes the plan of an object, or a query, as JSON. `from_json()` reads it again. The
#' text is public: it holds public arguments, never data and never randomness.
#'
#' You do not need these functions for `saveRDS()`, `save()`, `serialize()` and everything built on
#' them, such as parallel workers. A framework object or a statistic, such as [dpMean()], that was
#' saved this way rebuilds itself on first use, including user functions and the features that its
#' promises need. A queryable does not, because it could spend its budget twice.
#'
#' A statistic holds no budget: the holder of the budget must charge each release of each copy. Two
#' copies that both release cost twice.
#'
#' @section Format: A node is a JSON object with a `_type`:
#'
#'   | `_type` | other keys | represents |
#'   |---|---|---|
#'   | `"constructor"` | `name`, `module`, `kwargs` | the object that the constructor returns |
#'   | `"statistic"` | `name`, `kwargs` | a statistic, such as [dpMean()] makes |
#'   | `"part"` | `name`, `of` | a part of another object: `output_domain`, `measurement` |
#'   | `"map"` | `d_in`, `of` | the profile or curve in the loss of another object at `d_in` |
#'   | `"reference"` | `to` | the node of `shared` at this position, counted from 1 |
#'   | `"type"` | `value` | a [type descriptor][type_descriptors] |
#'   | `"list"` | `value`, `names` | a list |
#'   | `"logical"`, `"character"`, `"raw"` | `value`, `names` | a vector |
#'   | `"integer"`, `"double"`, `"integer64"` | `value`, `names` | a vector of numbers |
#'
#'   The outermost node has two more keys: `version`, which is 1, and `shared`, unless it would be
#'   empty. `shared` is an array of the nodes that occur more than once. Each refers only to nodes
#'   before it.
#'
#'   The keys of `kwargs` are the arguments of the constructor, defaults included, without their
#'   leading dot. Arguments of statistics have a plain form: a matrix of bounds is a list of pairs,
#'   a formula is its text. `names` is present if the vector has names. `value` is an array, or a
#'   string of hexadecimal digits for raw bytes. Inside `value`, `null` is a missing value. A double
#'   is a number with enough digits to read back exactly, or one of the strings `"Inf"`, `"-Inf"`,
#'   `"NaN"` and `"-0"`. A 64-bit integer is a string of decimal digits. A single logical value or
#'   string is written directly, and `null` is `NULL`. Numbers always need a node, because JSON does
#'   not distinguish `1L` from `1`.
#'
#'   `object("json")` and `object$json` give the same text. `object("log")` gives its outermost node
#'   as a list, whose arguments are R objects.
#' @section Queries: The text of a query that [dp_tbl()] began is an object with these keys:
#'
#'   | key | value |
#'   |---|---|
#'   | `version` | 1 |
#'   | `declaration` | the SHA-256 of the declared columns and the unit, 64 digits |
#'   | `query` | `rules`, `steps`, `by`, `keys`, `aggregates`, `outputs` |
#'   | `loss`, `alpha` | both or neither: decimals in text, as in `{"rho":"0.05","delta":"0"}` |
#'
#'   `rules` is the version of the query semantics. Each step, aggregate and operator has closed
#'   keys, and an unknown key, step, operator or aggregate raises an error. An expression is
#'   `{"op":"column","name":"age"}`, `{"op":"literal","value":3}`, or `{"op":">","args":[...]}`. A
#'   literal without a point is a whole number. A missing value is `null`, with its `type`.
#'
#'   Columns, bounds, levels and the unit are not in the text. `from_json()` returns a query without
#'   a table, which prints but reads no data: [on_table()] gives it a table with the same
#'   declaration. The text keeps the order of columns, and the hash of the plan. The plan in a
#'   [receipt][dp_receipt] has the same form. It has `source`, with columns and unit, instead of
#'   `declaration`.
#'
#'   The text of a [dp_batch()] has `version`, `accountant` and `members`, an array. A member has
#'   `name`, `weight`, `declaration` and `query`. In the receipt of a batch, members have `loss` and
#'   `alpha` instead of a weight, and so has the batch.
#' @section Limits: A text has at most 32 MiB, and is UTF-8. Objects and arrays nest at most 200
#'   times, and 576 times in a query. One pass checks these limits before the text is parsed. No
#'   object may have a key twice or more than 64 keys, and each number must be finite.
#' @section Trust: `from_json()` calls only the package's exported constructors, including
#'   statistics, with the features that are enabled. Untrusted JSON can describe a different object
#'   than claimed. Check its privacy map.
#' @param x (framework object, statistic, `dp_query` or `dp_batch`) Object to write: a domain,
#'   metric, measure, transformation, measurement, odometer, postprocessor, the privacy profile or
#'   curve that a map returned, a query, a batch, or a statistic such as [dpMean()]. For a
#'   statistic, the text has the plan, but not its releases.
#' @param pretty (`logical(1)`) Whether to break lines and indent.
#' @param text (`character`) JSON text. Several strings are its lines.
#' @returns `to_json()` returns `character(1)`, in UTF-8. `from_json()` returns the object. It has
#'   the same printed form, the same map and the same text as the original. A statistic has not
#'   released yet. For the text of a query or a batch, it returns a `dp_written_query` or a
#'   `dp_written_batch`, see [on_table()].
#' @section Errors: `to_json()` raises `dp_error_serialization` if the object includes a user
#'   function, or an R object without a node type. `from_json()` raises `dp_error_serialization` if
#'   the text is not in this format, exceeds a limit, or names anything except a constructor. It
#'   also raises the errors of the constructors, such as `dp_error_missing_feature`. Messages do not
#'   quote the text.
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
  check_flag(pretty)
  enc2utf8(as.character(plan_json(x, pretty)))
}

# The text of a plan, also for classes of the layers above.
plan_json <- function(x, pretty) UseMethod("plan_json")

#' @exportS3Method
plan_json.default <- function(x, pretty) { # nolint: object_name_linter.
  if (!is_planned(x)) {
    stop_argument("a framework object, a statistic, a query or a batch", describe(x), "x",
      quote(to_json())
    )
  }
  repeated <- repeated_objects(x)
  positions <- stats::setNames(seq_along(repeated), vapply(repeated, address_of, ""))
  shared <- lapply(repeated, json_object, positions)
  head <- c(list(version = json_version), if (length(shared)) list(shared = shared))
  jsonlite::toJSON(c(head, json_object(x, positions)),
    auto_unbox = TRUE, null = "null", json_verbatim = TRUE, pretty = pretty
  )
}

#' @rdname to_json
#' @export
from_json <- function(text) {
  text <- bounded_json(text)
  is_query <- core_has_json_key(text, "query") || core_has_json_key(text, "members")
  kind <- if (is_query) "dp_query_json"
  plan_in_json(structure(text, class = kind))
}

# The object in a text within the limits.
plan_in_json <- function(text) UseMethod("plan_in_json")

#' @exportS3Method
plan_in_json.default <- function(text) { # nolint: object_name_linter.
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

# The objects that occur repeatedly. Chains have many, because each step takes its spaces from the
# step before.
repeated_objects <- function(x) {
  node <- explicit_plan(x)
  behind <- objects_behind(node, node_of = explicit_plan)
  used <- unlist(lapply(c(list(node), lapply(behind, explicit_plan)), function(node) {
    vapply(objects_in(node), address_of, "")
  }))
  behind[vapply(behind, address_of, "") %in% used[duplicated(used)]]
}

# The node of an object. `positions` holds the positions of shared objects, named by address.
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
  # An empty object is {}. An empty list would be [].
  if (length(nodes)) nodes else stats::setNames(list(), character())
}

# Reads objects of the framework and statistics from JSON ------------------------------------------

# Maximal nesting of objects. It exceeds any real nesting, because repeated nodes are written once,
# and it fits the stack. Queries have a separate limit.
json_depth <- 200
json_bytes <- 2^25

# One text within the limits of every reader. They are checked in one pass over its bytes, before
# any regular expression or parser sees it.
bounded_json <- function(text) {
  if (!is.character(text) || is.object(text) || anyNA(text)) {
    stop_argument("JSON text", describe(text), "text", quote(from_json()))
  }
  check_json(sum(nchar(text, "bytes") + 1) <= json_bytes + 1,
    paste0("the text must have at most ", format(json_bytes, scientific = FALSE), " bytes.")
  )
  latin <- Encoding(text) == "latin1"
  text[latin] <- enc2utf8(text[latin])
  # In some locales R would read unmarked bytes as different letters.
  check_json(all(validUTF8(text)), "the text is not UTF-8.")
  Encoding(text) <- "UTF-8"
  text <- paste(text, collapse = "\n")
  in_json(core_check_json_bounds(text, json_bytes, limit("nested_lists"), json_bytes))
  text
}

# Evaluates `expr`. Errors of the core become errors about the text.
in_json <- function(expr) {
  tryCatch(expr, dp_error_failed_cast = function(error) {
    check_json(FALSE, sub("^\\[FailedCast\\] : ", "", conditionMessage(error)))
  })
}

parse_json_text <- function(text) {
  node <- in_json(core_parse_json(text, json_bytes, json_depth, json_bytes))
  check_json(is.list(node) && !is.null(names(node)), "the text is not a JSON object.")
  node
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

# Reads each node type that represents an object.
json_objects <- list(
  constructor = function(node, objects) {
    check_keys(node, c("_type", "name", "module", "kwargs"))
    object <- call_constructor(check_constructor(node$name), node$kwargs, objects)
    check_json(
      identical(node$module, module_of(plan_of(object)$constructor)),
      "`module` must be the module of the constructor."
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
    check_json(inherits(of, "measurement"), "a map must belong to a measurement.")
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
