#' @section Columns of data frames:
#' * logical
#'     * `dp_flag()`, `dp_unit(id = )`: read as it is
#'     * `dp_int()`, `dp_num()`, `dp_levels(1)`: FALSE is 0 and TRUE is 1
#'     * `dp_levels("a")`, `dp_text()`: convert it with `as.character(x)`
#'     * `dp_date()`: refused
#' * integer
#'     * `dp_flag()`: convert it with `x == 1`
#'     * `dp_int()`, `dp_num()`, `dp_unit(id = )`: read as it is
#'     * `dp_levels("a")`, `dp_text()`: convert it with `as.character(x)`
#'     * `dp_levels(1)`: a number that is no level is missing
#'     * `dp_date()`: convert it with `as.Date(as.numeric(x), origin = "1970-01-01") # Excel: "1899-12-30"`
#' * integer64
#'     * `dp_flag()`: convert it with `x == 1`
#'     * `dp_int()`, `dp_num()`, `dp_unit(id = )`: read as it is
#'     * `dp_levels("a")`, `dp_text()`: convert it with `as.character(x)`
#'     * `dp_levels(1)`: a number that is no level is missing
#'     * `dp_date()`: convert it with `as.Date(as.numeric(x), origin = "1970-01-01") # Excel: "1899-12-30"`
#' * numeric
#'     * `dp_flag()`: convert it with `x == 1`
#'     * `dp_int()`: rounds to the nearest whole number, ties to even
#'     * `dp_num()`, `dp_unit(id = )`: read as it is
#'     * `dp_levels("a")`, `dp_text()`: convert it with `as.character(x)`
#'     * `dp_levels(1)`: a number that is no level is missing
#'     * `dp_date()`: convert it with `as.Date(as.numeric(x), origin = "1970-01-01") # Excel: "1899-12-30"`
#' * character
#'     * `dp_flag()`: convert it with `x == "yes"`
#'     * `dp_int()`, `dp_num()`: convert it with `as.numeric(x)`
#'     * `dp_levels("a")`: a text that is no level is missing
#'     * `dp_levels(1)`: reads texts such as 1 and 01; one that is no level is missing
#'     * `dp_text()`, `dp_unit(id = )`: read as it is
#'     * `dp_date()`: reads texts such as 2026-01-31, also before a time; all others are missing
#' * factor
#'     * `dp_flag()`: convert it with `x == "yes"`
#'     * `dp_int()`, `dp_num()`: convert it with `as.numeric(as.character(x))`
#'     * `dp_levels("a")`: a text that is no level is missing
#'     * `dp_levels(1)`: reads texts such as 1 and 01; one that is no level is missing
#'     * `dp_text()`, `dp_unit(id = )`: read as it is
#'     * `dp_date()`: reads texts such as 2026-01-31, also before a time; all others are missing
#' * Date
#'     * `dp_flag()`: convert it with `x >= as.Date("2026-01-01")`
#'     * `dp_int()`, `dp_num()`: convert it with `as.numeric(x)`
#'     * `dp_levels("a")`, `dp_text()`: convert it with `format(x)`
#'     * `dp_levels(1)`: convert it with `as.integer(format(x, "%Y"))`
#'     * `dp_date()`, `dp_unit(id = )`: read as it is
#' * haven_labelled
#'     * `dp_flag()`: convert it with `x == 1`
#'     * `dp_int()`: rounds to the nearest whole number, ties to even
#'     * `dp_num()`, `dp_unit(id = )`: read as it is
#'     * `dp_levels("a")`: value labels are levels, with `levels = "public"`
#'     * `dp_levels(1)`: a number that is no level is missing
#'     * `dp_text()`: convert it with `as.character(x)`
#'     * `dp_date()`: convert it with `as.Date(as.numeric(x), origin = "1970-01-01") # Excel: "1899-12-30"`
#' * haven_labelled text
#'     * `dp_flag()`: convert it with `x == "yes"`
#'     * `dp_int()`, `dp_num()`: convert it with `as.numeric(as.character(x))`
#'     * `dp_levels("a")`: a text that is no level is missing
#'     * `dp_levels(1)`: reads texts such as 1 and 01; one that is no level is missing
#'     * `dp_text()`, `dp_unit(id = )`: read as it is
#'     * `dp_date()`: reads texts such as 2026-01-31, also before a time; all others are missing
#' * POSIXct
#'     * `dp_flag()`: convert it with `x >= as.POSIXct("2026-01-01", tz = "UTC")`
#'     * `dp_int()`, `dp_num()`: convert it with `as.numeric(x)`
#'     * `dp_levels("a")`, `dp_text()`, `dp_unit(id = )`: convert it with `format(x, tz = "UTC")`
#'     * `dp_levels(1)`: convert it with `as.integer(format(x, "%Y", tz = "UTC"))`
#'     * `dp_date()`: the day in the time zone `tz`, which you declare
#' * POSIXlt
#'     * `dp_flag()`, `dp_int()`, `dp_num()`, `dp_levels("a")`, `dp_levels(1)`, `dp_text()`, `dp_date()`, `dp_unit(id = )`: convert it with `as.POSIXct(x)`
#' * difftime
#'     * `dp_flag()`: convert it with `x > 0`
#'     * `dp_int()`, `dp_num()`, `dp_levels(1)`: convert it with `as.numeric(x, units = "days")`
#'     * `dp_levels("a")`, `dp_text()`, `dp_unit(id = )`: convert it with `format(x)`
#'     * `dp_date()`: refused
#' * hms
#'     * `dp_flag()`: convert it with `x > 0`
#'     * `dp_int()`, `dp_num()`, `dp_levels(1)`: convert it with `as.numeric(x, units = "secs")`
#'     * `dp_levels("a")`, `dp_text()`, `dp_unit(id = )`: convert it with `format(x)`
#'     * `dp_date()`: refused
#' * AsIs
#'     * `dp_flag()`, `dp_int()`, `dp_num()`, `dp_levels("a")`, `dp_levels(1)`, `dp_text()`, `dp_date()`, `dp_unit(id = )`: convert it with `structure(x, class = setdiff(class(x), "AsIs"))`
#' * matrix
#'     * `dp_flag()`, `dp_int()`, `dp_num()`, `dp_levels("a")`, `dp_levels(1)`, `dp_text()`, `dp_date()`, `dp_unit(id = )`: convert it with `x[, 1]`
#' * data.frame
#'     * `dp_flag()`, `dp_int()`, `dp_num()`, `dp_levels("a")`, `dp_levels(1)`, `dp_text()`, `dp_date()`, `dp_unit(id = )`: convert it with `x[[1]]`
#' * list
#'     * `dp_flag()`, `dp_int()`, `dp_num()`, `dp_levels("a")`, `dp_levels(1)`, `dp_text()`, `dp_date()`, `dp_unit(id = )`: convert it with `unlist(x)`
