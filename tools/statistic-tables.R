# Tables of the help that follow from the declarations of statistics, for `@eval` of roxygen2. See
# tools/generate.R, which reads this file where the package's own code is.

# A row in Markdown. Escapes characters that would end a cell.
table_row <- function(...) {
  cells <- gsub("|", "\\|", c(...), fixed = TRUE)
  paste0("| ", paste(cells, collapse = " | "), " |")
}

table_of <- function(header, rows) {
  c(table_row(header), paste0("|", strrep("---|", length(header))), rows)
}

linked <- function(names) toString(paste0("[", names, "()]"))

spelt <- function(values) if (is.null(values)) "" else toString(paste0('`"', values, '"`'))

# Declarations of all generators in `home`. There is no namespace yet.
declarations <- function(home = environment(declarations)) {
  generators <- Filter(function(x) inherits(x, "dp_generator"), mget(ls(home), home))
  Filter(Negate(is.null), lapply(generators, declaration_of))
}

# A row for each question: the statistic that answers it, its column types and its noise.
questions_table <- function() {
  rows <- Map(function(name, declared) {
    table_row(
      declared$question, linked(name), spelt(declared$kinds$varType$choices),
      spelt(declared$kinds$mechanism$choices)
    )
  }, names(declarations()), declarations())
  table_of(c("you ask for", "use", "`varType`", "`mechanism`"), unlist(rows))
}

# A row for each argument: its rule, its default, and the statistics that share both.
arguments_table <- function() {
  uses <- do.call(rbind, Map(function(name, declared) {
    defaults <- formals(get(name))
    data.frame(
      argument = names(declared$kinds), must = vapply(declared$kinds, `[[`, "", "must"),
      default = vapply(names(declared$kinds), function(argument) {
        if (identical(defaults[[argument]], rlang::missing_arg())) {
          ""
        } else {
          paste0("`", deparse1(defaults[[argument]]), "`")
        }
      }, ""), statistic = name
    )
  }, names(declarations()), declarations()))
  same <- paste(uses$argument, uses$must, uses$default, sep = "\r")
  groups <- split(uses, factor(same, unique(same)))
  # Arguments that most statistics have come first. Rows of one argument stay together.
  counts <- table(uses$argument)
  first <- vapply(groups, function(group) group$argument[[1]], "")
  groups <- groups[order(-counts[first], first, -vapply(groups, nrow, 0L), method = "radix")]
  everywhere <- length(declarations())
  table_of(c("argument", "must be", "default", "of"), vapply(groups, function(group) {
    of <- if (nrow(group) == everywhere) "all" else linked(group$statistic)
    table_row(paste0("`", group$argument[[1]], "`"), group$must[[1]], group$default[[1]], of)
  }, ""))
}
