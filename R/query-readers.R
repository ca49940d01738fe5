# Functions that expressions can use, with their readers.

readers <- c(
  sapply(c("==", "!=", "<", "<=", ">", ">=", "&", "|", "*", "/", "%/%", "%%"),
    simple_reader, counts = 2, simplify = FALSE
  ),
  sapply(
    c("!", "is.na", "abs", one_date_part, "as.integer", "as.numeric", "floor", "ceiling", "sqrt",
      "exp", "log1p", "tolower", "toupper"
    ), simple_reader,
    counts = 1, simplify = FALSE
  ),
  sapply(c("coalesce", "pmin", "pmax"), simple_reader, counts = 1:64, simplify = FALSE),
  list(
    "-" = read_minus, "+" = read_plus, "%in%" = read_in, between = read_between,
    if_else = read_if_else, ifelse = read_ifelse, case_when = read_case_when, cut = read_cut,
    mday = renamed_reader("day"), as.double = renamed_reader("as.numeric"), wday = read_wday,
    floor_date = read_floor_date, difftime = read_difftime, case_match = read_case_match,
    na_if = read_na_if, round = read_round, trunc = renamed_reader("trunc"), log = read_log,
    log2 = log_reader(2), log10 = log_reader(10), trimws = read_trimws, substr = read_substr,
    substring = read_substring, replace_na = read_replace_na, replace = read_replace
  )
)
