# Fails if the reference index of _pkgdown.yml lacks a topic of man, names one that is not there, or
# names one twice; or if a sentence of the help breaks where roxygen2 takes the rest for a list.
index <- yaml::read_yaml("_pkgdown.yml")$reference
listed <- unlist(lapply(index, `[[`, "contents"))

pages <- lapply(list.files("man", "[.]Rd$", full.names = TRUE), readLines, encoding = "UTF-8")
internal <- vapply(pages, \(page) any(page == "\\keyword{internal}"), NA)
braced <- function(page, tag) sub("^.*\\{(.*)\\}$", "\\1", grep(tag, page, value = TRUE))
topics <- vapply(pages, braced, "", tag = "^\\\\name\\{")
aliases <- lapply(pages, braced, tag = "^\\\\alias\\{")

page_of <- rep(topics, lengths(aliases))[match(listed, unlist(aliases))]
complaints <- c(
  sprintf("not in the index: %s", setdiff(topics[!internal], page_of)),
  sprintf("in the index, but not a topic: %s", listed[is.na(page_of)]),
  sprintf("in the index twice: %s", unique(listed[duplicated(page_of) & !is.na(page_of)]))
)

# A line that begins as an item does, after one of text that ends within a sentence.
broken_in <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  begins <- which(grepl("^#'   ?([0-9]+[.)]|[-+]) ", lines))
  before <- lines[pmax(begins - 1, 1)]
  is_text <- grepl("^#' .*[^:.;]$", before) & !grepl("^#' *([0-9]+[.)]|[-+*]) ", before)
  sprintf("%s:%d begins as an item of a list", file, begins[is_text])
}
complaints <- c(complaints, unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), broken_in)))
writeLines(complaints)
quit(status = if (length(complaints) || !length(topics)) 1 else 0)
