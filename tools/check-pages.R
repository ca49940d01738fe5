# Fails if
# - the index of _pkgdown.yml lacks a help topic, a vignette or an article, or names a lost one;
# - a text names a page that is not there: `vignette("x")` needs an installed vignette, a link of an
#   article an article or a vignette;
# - a sentence of the help breaks where roxygen2 takes the rest for a list.
pkgdown::check_pkgdown()

page_names <- function(folder) sub("[.]Rmd$", "", list.files(folder, "^[^_].*[.]Rmd$"))
vignettes <- page_names("vignettes")
articles <- page_names("vignettes/articles")

found <- function(lines, pattern) {
  unlist(regmatches(lines, gregexpr(pattern, lines, perl = TRUE)))
}
lost_pages <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  called <- found(lines, "(?<=vignette\\(\")[^\"]+")
  sources <- found(lines, "(?<=vignettes/articles/)[a-z0-9.-]+(?=[.]Rmd)")
  linked <- if (grepl("vignettes/", file)) found(lines, "(?<=\\]\\()[a-zA-Z0-9.-]+(?=[.]html\\))")
  # An installed vignette has no articles beside it.
  reached <- if (grepl("vignettes/articles/", file)) c(vignettes, articles) else vignettes
  c(
    sprintf("%s: no vignette %s", file, setdiff(called, vignettes)),
    sprintf("%s: no article %s", file, setdiff(sources, articles)),
    sprintf("%s: no page %s", file, setdiff(linked, reached))
  )
}

# A line that begins as an item does, after one of text that ends within a sentence.
broken_sentences <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  begins <- which(grepl("^#'   ?([0-9]+[.)]|[-+]) ", lines))
  before <- lines[pmax(begins - 1, 1)]
  is_text <- grepl("^#' .*[^:.;]$", before) & !grepl("^#' *([0-9]+[.)]|[-+*]) ", before)
  sprintf("%s:%d begins as an item of a list", file, begins[is_text])
}

folders <- c("R", "man", "vignettes", "demo")
developers <- c("README.md", "NEWS.md", "CONTRIBUTING.md", Sys.glob("dev/*.md"))
pages <- list.files(folders, "[.](R|Rd|Rmd)$", recursive = TRUE, full.names = TRUE)
complaints <- unlist(c(
  lapply(c(developers, pages), lost_pages),
  lapply(list.files("R", "[.]R$", full.names = TRUE), broken_sentences)
))
writeLines(as.character(complaints))
quit(status = length(complaints) > 0 || !length(vignettes) || !length(articles))
