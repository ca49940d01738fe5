# Fails if a page that a text names is not there: `vignette("x")` needs a vignette that is
# installed, a link of an article an article or a vignette. And if the index of articles in
# _pkgdown.yml lacks a page, or names one that is not there.
page_names <- function(folder) sub("[.]Rmd$", "", list.files(folder, "^[^_].*[.]Rmd$"))
vignettes <- page_names("vignettes")
articles <- page_names("vignettes/articles")

folders <- c("R", "man", "vignettes", "demo")
texts <- c(
  "README.md", "NEWS.md", "CONTRIBUTING.md",
  list.files(folders, "[.](R|Rd|Rmd)$", recursive = TRUE, full.names = TRUE)
)
found <- function(file, pattern) {
  lines <- readLines(file, encoding = "UTF-8")
  unlist(regmatches(lines, gregexpr(pattern, lines, perl = TRUE)))
}
complaints_of <- function(file) {
  called <- found(file, "(?<=vignette\\(\")[^\"]+")
  sources <- found(file, "(?<=vignettes/articles/)[a-z0-9.-]+(?=[.]Rmd)")
  linked <- if (grepl("vignettes/", file)) found(file, "(?<=\\]\\()[a-zA-Z0-9.-]+(?=[.]html\\))")
  # An installed vignette has no articles beside it.
  reached <- if (grepl("vignettes/articles/", file)) c(vignettes, articles) else vignettes
  c(
    sprintf("%s: no vignette %s", file, setdiff(called, vignettes)),
    sprintf("%s: no article %s", file, setdiff(sources, articles)),
    sprintf("%s: no page %s", file, setdiff(linked, reached))
  )
}

listed <- unlist(lapply(yaml::read_yaml("_pkgdown.yml")$articles, `[[`, "contents"))
pages <- c(vignettes, file.path("articles", articles))
complaints <- c(
  unlist(lapply(texts, complaints_of)),
  sprintf("_pkgdown.yml: no page %s", setdiff(listed, pages)),
  sprintf("_pkgdown.yml: %s is not listed", setdiff(pages, listed)),
  sprintf("_pkgdown.yml: %s is listed twice", unique(listed[duplicated(listed)]))
)
writeLines(complaints)
quit(status = if (length(complaints) || !length(vignettes) || !length(articles)) 1 else 0)
