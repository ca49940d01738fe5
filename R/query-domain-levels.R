# Declarations of levels and of texts.

levels_in <- function(x) {
  if (is.factor(x)) {
    levels(x)
  } else if (inherits(x, "integer64")) {
    core_doubles_of_integer64(x)
  } else {
    as.vector(x)
  }
}

#' @rdname dp_domain
#' @export
dp_text <- function(missing = "drop", na = NULL, encoding = "UTF-8", ...) {
  check_names(...)
  check_choice(encoding, text_encodings)
  kind <- kind_of_missing(missing) %||%
    stop_argument("\"drop\", NA or dp_drop()", describe(missing), "missing", environment())
  new_column("text", missing = kind, na = text_codes(na), encoding = encoding)
}

#' @rdname dp_domain
#' @export
dp_levels <- function(..., missing = NULL, na = NULL, encoding = "UTF-8", levels = NULL) {
  named <- setdiff(...names(), c("", NA))
  if (length(named) > 0) {
    stop_unknown(named[[1]], c("missing", "na", "encoding", "levels"), call = quote(dp_levels()))
  }
  check_choice(encoding, text_encodings)
  if (!is.null(levels)) {
    if (!identical(levels, "public")) {
      stop_argument('"public" (give levels without names, as in `dp_levels("f", "m")`)',
        describe(levels), "levels", environment()
      )
    }
    if (...length() > 0) stop_argument("left out beside levels", "given", "levels", environment())
    return(structure(
      list(type = "levels", public = TRUE, missing = missing, na = na, encoding = encoding),
      class = "dp_column"
    ))
  }
  size <- sum(as.double(lengths(list(...))))
  if (size > limit("cells")) {
    stop_argument(paste("at most", limit("cells"), "levels"), size, "...", environment())
  }
  levels <- unlist(lapply(list(...), levels_in), use.names = FALSE)
  whole <- is.numeric(levels)
  usable <- is.character(levels) || whole && all(is.finite(levels) & levels == trunc(levels))
  refuse_levels(levels, usable, environment())
  text <- if (whole) format(levels, scientific = FALSE, trim = TRUE) else enc2utf8(levels)
  warn_look_alikes(text, environment())
  if (any(levels_in(na) %in% levels)) {
    stop_argument("codes that are not levels", "a level", "na", environment())
  }
  new_column("levels",
    levels = text, whole = if (whole) TRUE, missing = level_missing(missing, levels, environment()),
    na = if (whole) number_codes(na) else text_codes(na), encoding = encoding
  )
}

# Encodings that the core decodes (src/core/query/decode.h).
text_encodings <- c("UTF-8", "latin1", "latin9", "windows-1252")

refuse_levels <- function(levels, usable, call) {
  if (anyNA(levels)) {
    refuse_argument(paste(
      "`...` must be levels without NA. To give missing values their own group, say",
      "`missing = NA`: `dp_levels(\"f\", \"m\", missing = NA)`."
    ), "...", call)
  }
  if (!usable || anyDuplicated(levels) > 0) {
    came <- if (length(levels) == 0) {
      "none"
    } else if (usable) {
      paste(name_public(levels[[anyDuplicated(levels)]]), "twice")
    } else {
      "others"
    }
    stop_argument("distinct strings or whole numbers", came, "...", call)
  }
}

level_missing <- function(missing, levels, call) {
  if (is.null(missing)) {
    return("drop")
  }
  place <- match(missing, levels)
  if (length(place) == 1 && !is.na(place)) {
    return(place - 1)
  }
  kind <- if (identical(missing, "drop")) NULL else kind_of_missing(missing)
  if (is.null(kind) && is_string(missing) && missing != "drop") {
    shown <- name_public(missing)
    refuse_argument(paste0(
      "`missing` must be one of the levels, NA or dp_drop(), not ", shown, ". Add the level: ",
      "`dp_levels(..., ", shown, ", missing = ", shown, ")`."
    ), "missing", call)
  }
  kind %||% stop_argument("one of the levels, NA or dp_drop()", describe(missing), "missing", call)
}
