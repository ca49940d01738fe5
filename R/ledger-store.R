# Stored releases of a ledger: canonical JSON, whose SHA-256 is recorded. The core names the files,
# releases/<key>-<charge>.json.
#
# The value is a text in the file, in the form of ?to_json, which keeps every number to the last
# bit. R's own serialization is never used: reading it can run code.

# Stores `value` with its receipt, and records the hash. Returns the receipt, or NULL if there is
# none. The release was charged, so nothing here raises an error. Time limits and interrupts wait.
kept_release <- function(ledger, claim, value, parts, shown) {
  suspendInterrupts(stored_with_receipt(ledger, claim, value, parts, shown))
}

stored_with_receipt <- function(ledger, claim, value, parts, shown) {
  or_else(
    {
      text <- release_text(value)
      receipt <- signed_receipt(parts, claim, release_hashes(shown(value)), ledger$key)
      store_release(ledger, claim, text, receipt)
      receipt
    },
    function(error) {
      rlang::warn(
        "The release has no form in JSON: it has no receipt, and to release it again costs again.",
        class = c("dp_warning_store", "dp_warning")
      )
      NULL
    }
  )
}

store_release <- function(ledger, claim, text, receipt) {
  file <- core_to_canonical_json(list(
    format = "psilence-release-1", receipt = receipt, value = text
  ))
  or_else(
    {
      keep_text(ledger$where, claim$file, file)
      recorded <- core_ledger_record_release(ledger_handle(ledger), claim$seq, core_sha256(file))
      # From here on, a time limit loses nothing: to release again is free.
      allowInterrupts(tell_witness(ledger, recorded$head))
    },
    function(error) {
      rlang::warn(
        "The release was charged, but could not be stored: to release it again costs again.",
        class = c("dp_warning_store", "dp_warning")
      )
    }
  )
}

# list(value, receipt), or NULL if nothing is stored.
stored_release <- function(ledger, cost) {
  bytes <- if (!is.null(cost$charge)) kept_bytes(ledger$where, cost$file)[[1]]
  if (is.null(bytes)) {
    return(NULL)
  }
  file <- core_parse_canonical_json(check_stored_text(bytes, cost$file, cost$hash))
  list(value = value_in_text(file$value), receipt = file$receipt)
}

check_stored_text <- function(bytes, file, hash) {
  if (core_sha256(bytes) != hash) {
    stop_dp(
      "`{file}` differs from the stored release. Delete it, to release again at a cost.",
      "ledger",
      call = NULL
    )
  }
  rawToChar(bytes)
}

# The receipt that was stored for a charge. NULL if there is no text with the recorded hash.
receipt_of_charge <- function(ledger, charge) {
  hash <- hash_of_release(ledger, charge)
  if (is.null(hash)) {
    return(NULL)
  }
  newest <- core_ledger_releases(ledger_handle(ledger))
  files <- newest$file[newest$hash == hash]
  # An older release of a plan has the name of the newest one, with the number of its charge.
  if (length(files) == 0) {
    files <- unique(sub("(-[0-9]+)?[.]json$", sprintf("-%.0f.json", charge), newest$file))
  }
  found <- Find(function(bytes) !is.null(bytes) && core_sha256(bytes) == hash,
    kept_bytes(ledger$where, files)
  )
  if (!is.null(found)) core_parse_canonical_json(rawToChar(found))$receipt
}

# The hash that the ledger recorded for the release of a charge. NULL without such a record.
hash_of_release <- function(ledger, charge) {
  at <- charge
  repeat {
    at <- at + 1
    record <- core_ledger_record(ledger_handle(ledger), at)
    ends <- is.null(record) ||
      record$kind %in% c("release", "fail") && record$charge == charge
    if (ends) {
      return(record$release)
    }
  }
}

# `classes` are the allowed classes of objects in the text, with a check for each.
release_text <- function(value, classes = released_classes) {
  node <- if (is_list_of_words(value)) {
    node_of_words(value)
  } else {
    json_value(plain_release(value, classes), "a release", NULL)
  }
  text <- jsonlite::toJSON(node, auto_unbox = TRUE, null = "null", json_verbatim = TRUE)
  enc2utf8(as.character(text))
}

# A row of 1e6 cells is a list of 1e6 texts. If JSON escapes none of them, their nodes differ only
# in the text, and are written at once.
is_list_of_words <- function(x) {
  is_bare_vector(x) && is.list(x) && all(lengths(x) == 1) && all(vapply(x, is.character, NA)) &&
    all(vapply(x, function(text) is.null(attributes(text)), NA)) &&
    all(grepl("^[ !#-.0-\\[\\]^-~]*\\z", unlist(x), perl = TRUE))
}

node_of_words <- function(x) {
  node <- json_value(plain_release(x[0], list()), "a release", NULL)
  node$value[[1]]$value <- verbatim_array(paste0(
    '{"_type":"list","value":["', unlist(x), '",{"_type":"list","value":[]}],',
    '"names":["value","attributes"]}', recycle0 = TRUE
  ))
  if (!is.null(names(x))) node$value[[1]]$names <- text_array(names(x))
  node
}

value_in_text <- function(text, classes = released_classes) {
  node <- in_json(core_parse_json(text, .Machine$integer.max, value_depth, 2^53))
  release_of_plain(value_of_node(node, list()), classes)
}

# This allows plans of older versions, and fits the stack of R's readers.
value_depth <- 1000

# Untrusted text can only make the types in this list. Other attributes can turn a list into an
# object that methods of this package, or of others, trust.
released_attributes <- c("class", "dim", "dimnames", "levels", "row.names", "tzone", "units")

released_classes <- list(
  data.frame = function(x) is.list(x) && all(lengths(x) == length(attr(x, "row.names"))),
  Date = is.numeric,
  difftime = is.double,
  dp_map = function(x) {
    is.list(x) && identical(names(x), c("key", "value")) && length(x[[1]]) == length(x[[2]])
  },
  factor = function(x) {
    is.integer(x) && is.character(attr(x, "levels")) &&
      all(is.na(x) | (x >= 1 & x <= length(attr(x, "levels"))))
  },
  ordered = is.integer,
  POSIXct = is.double,
  POSIXt = is.double,
  table = is.integer,
  tbl = is.list,
  tbl_df = is.list
)

# The classes in the text of a planned query, and of a batch.
planned_classes <- list(dp_planned_query = is.list, dp_planned_batch = is.list)

check_attributes <- function(names) {
  if (!all(names %in% released_attributes)) refuse_form()
}

# Restores the attributes of `x` except its class.
check_classes <- function(x, given, classes) {
  is_listed <- function(class) class %in% names(classes) && isTRUE(classes[[class]](x))
  if (!is.null(given) && !(is.character(given) && all(vapply(given, is_listed, NA)))) refuse_form()
}

refuse_form <- function() {
  stop_dp("a release has attributes, or a class, that JSON cannot hold.", "serialization",
    call = NULL
  )
}

# A value as nested lists of bare vectors: list(value, attributes), and back.
plain_release <- function(x, classes) {
  if (is.null(x)) {
    return(list(value = NULL, attributes = list()))
  }
  parts <- attributes(x)
  is_wide <- inherits(x, "integer64")
  # Without the methods of its class, which may see different elements.
  bare <- if (is_wide) x else `attributes<-`(x, list(names = parts$names))
  if (is.list(bare)) bare <- lapply(bare, plain_release, classes)
  if (is.data.frame(x)) parts$row.names <- .row_names_info(x, 0L)
  parts[c("names", if (is_wide) "class")] <- NULL
  check_attributes(names(parts))
  check_classes(`attributes<-`(x, attributes(x)[names(attributes(x)) != "class"]), parts$class,
    classes
  )
  list(value = bare, attributes = lapply(parts, plain_release, list()))
}

release_of_plain <- function(node, classes) {
  x <- node$value
  if (is.list(x)) x <- lapply(x, release_of_plain, classes)
  attributes <- lapply(node$attributes, release_of_plain, list())
  check_attributes(names(attributes))
  for (name in setdiff(names(attributes), "class")) attr(x, name) <- attributes[[name]]
  check_classes(x, attributes$class, classes)
  if (!is.null(attributes$class)) class(x) <- attributes$class
  x
}
