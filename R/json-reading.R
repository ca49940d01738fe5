# Reads objects of the framework and statistics from JSON.

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
