# Functions on private rows that raise an error, with advice.

text_functions <- c(
  "grepl", "grep", "regexpr", "sub", "gsub", "casefold", "strsplit", "startsWith", "endsWith",
  "nchar", "paste", "paste0", "sprintf", "chartr", "iconv"
)

# Other ways for functions that are not supported.
function_advice <- local({
  product <- "Write the product out, as `x * x`."
  cases <- "Use `case_match()`, such as `case_match(x, \"a\" ~ 1, .default = 0)`."
  list(
    `^` = product, `**` = product, recode = cases, switch = cases, fct_recode = cases,
    fct_collapse = cases, `if` = "Use `if_else()`.", findInterval = "Use `cut()`.",
    near = "Use `between()`.", is.element = "Use `%in%`.",
    rowSums = "Add the columns, as `x + y`.", rowMeans = "Write `(x + y) / 2`.",
    signif = "Use `round(x, 2)` for two decimals, and `round(x, -2)` for hundreds."
  )
})

refuse_function <- function(expr, env, scope) {
  name <- name_of_function(expr)
  if (is.null(name)) {
    stop_query("unsupported", "Anonymous functions are not supported here.",
      "`?dp_expressions` lists the supported functions.", scope$call
    )
  }
  meant <- hint_for_call(expr, row_meanings)
  hint <- if (!is.null(meant)) {
    paste0("Did you mean `", meant, "`?")
  } else if (startsWith(name, "dp_") && name %in% names(aggregate_kinds)) {
    "It is an aggregate. Write it in `summarise()`, outside of other aggregates."
  } else if (name %in% row_mixers) {
    paste0(
      "It uses other rows. For groups, use `summarise()` with aggregates such as `dp_mean()`. ",
      "For the rows of one person, use `dp_per_unit()`."
    )
  } else if (name %in% names(time_parts)) {
    advice_on_times(name)
  } else if (name %in% names(date_advice)) {
    date_advice[[name]]
  } else if (startsWith(name, "as.")) {
    "Convert before `dp_tbl()`, or declare the type of the column, such as `dp_text()`."
  } else if (name %in% c("&&", "||")) {
    paste0("Use `", substr(name, 1, 1), "`.")
  } else if (name %in% c("if_any", "if_all")) {
    "Write a condition for each column, and combine them with `|` or `&`."
  } else if (name %in% text_functions || startsWith(name, "str_")) {
    paste0(
      "Use `tolower()`, `toupper()`, `trimws()`, `substr()`, `==` or `%in%`. Otherwise change ",
      "the text before `dp_tbl()`."
    )
  } else if (name %in% names(function_advice)) {
    function_advice[[name]]
  } else if (!any(variables_in(expr) %in% scope$columns)) {
    "If it is a constant, compute it first, and write the name of the variable."
  } else {
    "Compute the column before `dp_tbl()`. `?dp_expressions` lists the supported functions."
  }
  stop_query(
    "unsupported", paste0(quoted(label_of_call(expr)), " cannot be computed on private rows."),
    hint, scope$call
  )
}
