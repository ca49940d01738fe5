# Builds the site of all help pages and articles of the installed package, from nothing, in
# build/site. Fails on a warning, and on a link to a page that does not exist.
folder <- file.path(normalizePath(Sys.getenv("PSILENCE_BUILD", "build")), "site")
unlink(folder, recursive = TRUE)
# No page depends on what a server says: a package that is not installed gets no link, where downlit
# would ask CRAN for one.
options(pkgdown.internet = FALSE)
no_packages <- data.frame(Package = character(), URL = character())
utils::assignInNamespace("CRAN_urls", function() no_packages, "downlit")
site <- pkgdown::as_pkgdown(".", override = list(destination = folder))
complaints <- character()
withCallingHandlers(
  pkgdown::build_site(site, install = FALSE, preview = FALSE, new_process = FALSE, devel = FALSE),
  warning = function(w) complaints <<- c(complaints, paste("warning:", conditionMessage(w)))
)

# README.md links to sources, which is right in the repository.
pages <- list.files(folder, "[.]html$", recursive = TRUE, full.names = TRUE)
index <- file.path(folder, "index.html")
text <- readLines(index, encoding = "UTF-8")
text <- gsub("\"vignettes/(articles/[a-z0-9.-]+)[.]Rmd\"", "\"\\1.html\"", text)
writeLines(gsub("\"NEWS[.](md|html)\"", "\"news/index.html\"", text), index, useBytes = TRUE)

# Debian's pkgdown loads MathJax from the machine that built the page, with the digest of the one on
# the web, which no browser accepts.
on_the_web <- "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.5/MathJax.js"
for (page in pages) {
  lines <- readLines(page, encoding = "UTF-8", warn = FALSE)
  writeLines(gsub("file:///[^\"]*/MathJax[.]js", on_the_web, lines), page, useBytes = TRUE)
}

files_of_this_machine <- function(page) {
  text <- paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  paths <- unlist(regmatches(text, gregexpr("(src|href)=\"file:[^\"]*", text)))
  sprintf("%s: %s", sub(paste0(folder, "/"), "", page, fixed = TRUE), unique(paths))
}
complaints <- c(complaints, unlist(lapply(pages, files_of_this_machine)))

broken_links <- function(page) {
  text <- paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  text <- gsub("(?s)<pre.*?</pre>", "", text, perl = TRUE)
  links <- unlist(regmatches(text, gregexpr("(?<=href=\")[^\"#:]+(?=[#\"])", text, perl = TRUE)))
  links <- unique(links[!startsWith(links, "//")])
  there <- file.exists(file.path(ifelse(startsWith(links, "/"), folder, dirname(page)), links))
  sprintf("%s: no %s", sub(paste0(folder, "/"), "", page, fixed = TRUE), links[!there])
}
complaints <- c(complaints, unlist(lapply(pages, broken_links)))
writeLines(complaints)
cat("Built; open", file.path(folder, "index.html"), "\n")
quit(status = if (length(complaints)) 1 else 0)
