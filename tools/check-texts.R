# Checks texts. Fails if
# - pages: _pkgdown.yml lacks a help topic or a page, a text names a page that does not exist, or
#   roxygen2 would read a sentence as a list or as aliases.
# - spelling: a word is neither British English nor in inst/WORDLIST, or a listed word is not used.
# - shapes: a page, or a text that you changed, has too many sentences of hard shapes.
#
#   Rscript tools/check-texts.R [pages|spelling|shapes]...   all of them by default
#   Rscript tools/check-texts.R --write                      rewrites inst/WORDLIST: read its diff
developers <- c("CONTRIBUTING.md", Sys.glob("dev/*.md"), "tests/DEFENCES.md")

matches <- function(pattern, text) {
  unlist(regmatches(text, gregexpr(pattern, text, ignore.case = TRUE, perl = TRUE)))
}

# Pages -------------------------------------------------------------------------------------------

page_names <- function(folder) sub("[.]Rmd$", "", list.files(folder, "^[^_].*[.]Rmd$"))

lost_pages <- function(file) {
  vignettes <- page_names("vignettes")
  articles <- page_names("vignettes/articles")
  # An installed vignette cannot link to an article.
  reached <- if (grepl("vignettes/articles/", file)) c(vignettes, articles) else vignettes
  lines <- readLines(file, encoding = "UTF-8")
  called <- matches("(?<=vignette\\(\")[^\"]+", lines)
  sources <- matches("(?<=vignettes/articles/)[a-z0-9.-]+(?=[.]Rmd)", lines)
  linked <- if (grepl("vignettes/", file)) matches("(?<=\\]\\()[a-z0-9.-]+(?=[.]html\\))", lines)
  c(
    sprintf("%s: no vignette %s", file, setdiff(called, vignettes)),
    sprintf("%s: no article %s", file, setdiff(sources, articles)),
    sprintf("%s: no page %s", file, setdiff(linked, reached))
  )
}

# Lines of roxygen that begin like an item of a list, after a line that ends within a sentence.
broken_sentences <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  begins <- which(grepl("^#'   ?([0-9]+[.)]|[-+]) ", lines))
  before <- lines[pmax(begins - 1, 1)]
  is_text <- grepl("^#' .*[^:.;]$", before) & !grepl("^#' *([0-9]+[.)]|[-+*]) ", before)
  sprintf("%s:%d begins as an item of a list", file, begins[is_text])
}

# Text below `@aliases`, which roxygen2 would read as more aliases.
lost_descriptions <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  tags <- grep("^#' @aliases", lines)
  sprintf("%s:%d is read as aliases", file, tags + 1)[grepl("^#' *[^@ ]", lines[tags + 1])]
}

pages <- function() {
  pkgdown::check_pkgdown()
  folders <- c("R", "man", "vignettes", "demo")
  files <- list.files(folders, "[.](R|Rd|Rmd)$", recursive = TRUE, full.names = TRUE)
  unlist(c(
    if (!length(page_names("vignettes/articles"))) "There are no articles.",
    lapply(c("README.md", "NEWS.md", developers, files), lost_pages),
    lapply(list.files("R", "[.]R$", full.names = TRUE), broken_sentences),
    lapply(list.files("R", "[.]R$", full.names = TRUE), lost_descriptions)
  ))
}

# Spelling ----------------------------------------------------------------------------------------

word_list <- "inst/WORDLIST"

unknown_words <- function() {
  found <- rbind(
    spelling::spell_check_package(".", use_wordlist = FALSE),
    spelling::spell_check_files(developers, lang = "en_GB")
  )
  found[found$word != "PSIlence", ]
}

spelling <- function() {
  found <- unknown_words()
  listed <- readLines(word_list, encoding = "UTF-8")
  unknown <- found[!found$word %in% listed, ]
  c(
    sprintf("%s: in %s", unknown$word, vapply(unknown$found, toString, "")),
    sprintf("%s: no text uses %s", word_list, setdiff(listed, found$word))
  )
}

# Shapes ------------------------------------------------------------------------------------------

# Shapes of sentences that a reader has to parse twice. Rewrite the sentence, not the words.
shapes <- c(
  "\\bwhat (is|are|was|were|comes|came|has|stands|they|it) ", # a clause as a noun
  "\\b(that|those) of\\b",
  "\\b(at|by|for|from|in|of|through|to|with) which\\b",
  "\\b(as|so) many\\b",
  "\\b(nobody|somebody|whoever)\\b",
  "\\bstands? (at|for|in|on|there)\\b",
  "\\bof (its|their) own\\b",
  "\\b(gives? way|hangs? on|nothing but)\\b",
  "\\bby (itself|themselves)\\b"
)

# How many of 10,000 words begin one: in texts of users, and in comments of C++ and tests. One is
# never too many.
most_in <- function(file) if (grepl("^tests/|[.](h|cpp)$", file)) 15 else 10

prose_of <- function(file, lines) {
  if (grepl("[.](R|h|cpp)$", file)) {
    comment <- if (grepl("[.]R$", file)) "^\\s*#'? ?" else "^\\s*// ?"
    lines <- sub(comment, "", grep(comment, lines, value = TRUE))
  } else {
    lines <- lines[cumsum(grepl("^\\s*```", lines)) %% 2 == 0] # without blocks of code
  }
  paste(lines, collapse = " ")
}

shapes_in <- function(prose) sum(lengths(lapply(shapes, matches, prose)))

git <- function(...) suppressWarnings(system2("git", c(...), stdout = TRUE, stderr = FALSE))

# Texts that differ from the main branch, or on it from the last commit: those must not get worse.
changed_files <- function(base) {
  files <- git("diff", "--name-only", "--diff-filter=d", base)
  files <- grep("RcppExports|/_snaps/", files, value = TRUE, invert = TRUE)
  grep("[.](R|Rmd|md|h|cpp)$", files, value = TRUE)
}

too_many <- function(file, base = NULL) {
  prose <- prose_of(file, readLines(file, encoding = "UTF-8", warn = FALSE))
  words <- lengths(strsplit(prose, "\\s+"))
  before <- if (!is.null(base)) {
    shapes_in(prose_of(file, git("show", paste0(base, ":", file))))
  }
  now <- shapes_in(prose)
  if (now > max(1, most_in(file) * words / 1e4, before)) {
    found <- vapply(shapes, function(shape) toString(unique(matches(shape, prose))), "")
    sprintf("%s: %d hard shapes in %d words: %s", file, now, words, toString(found[nzchar(found)]))
  }
}

hard_shapes <- function() {
  read_by_users <- c(
    "README.md", "SECURITY.md", developers,
    list.files("vignettes", "[.]Rmd$", recursive = TRUE, full.names = TRUE)
  )
  base <- git("merge-base", "HEAD~1", "origin/main")
  if (length(base) != 1) message("No history: changed files are not compared.")
  changed <- if (length(base) == 1) setdiff(changed_files(base), read_by_users)
  unlist(c(lapply(read_by_users, too_many), lapply(changed, too_many, base)))
}

if ("--write" %in% commandArgs(TRUE)) {
  writeLines(sort(unique(unknown_words()$word), method = "radix"), word_list)
  quit(status = 0)
}
checks <- list(pages = pages, spelling = spelling, shapes = hard_shapes)
asked <- commandArgs(TRUE)
bad <- unlist(lapply(checks[if (length(asked)) asked else names(checks)], function(check) check()))
writeLines(as.character(bad))
quit(status = length(bad) > 0)
