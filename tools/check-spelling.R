# Fails if a word of the help pages, vignettes, articles or of the texts for developers is neither
# in the dictionary of British English nor in inst/WORDLIST, or if the list has words that no text
# uses. tools/check-spelling.R --write rewrites the list: read what it adds.
more <- c("CONTRIBUTING.md", Sys.glob("dev/*.md"), "tests/DEFENCES.md")
list <- "inst/WORDLIST"
misspelt <- function(ignored) {
  package <- spelling::spell_check_package(".", use_wordlist = FALSE)
  others <- spelling::spell_check_files(more, lang = "en_GB")
  found <- rbind(package, others)
  found[!found$word %in% c(ignored, "PSIlence"), ]
}
known <- if (file.exists(list)) readLines(list, encoding = "UTF-8")
found <- misspelt(character())
if ("--write" %in% commandArgs(TRUE)) {
  writeLines(sort(unique(found$word), method = "radix"), list)
  quit(status = 0)
}
unknown <- found[!found$word %in% known, ]
unused <- setdiff(known, found$word)
if (nrow(unknown) > 0) print(unknown)
if (length(unused) > 0) cat(list, "has words that no text uses:", toString(unused), "\n")
quit(status = if (nrow(unknown) > 0 || length(unused) > 0) 1 else 0)
