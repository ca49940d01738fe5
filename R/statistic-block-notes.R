# Notes of sample and aggregate about missing rows and failing blocks. They follow only from the
# plan, because the numbers of complete rows and of failures are private.

notes_of_blocks <- function(statistic, fields) {
  if (statistic != "dpSampleAndAggregate") {
    return(NULL)
  }
  can_lack_rows <- drops_missing(fields) || fields$scheme == "labels"
  c(
    if (can_lack_rows) note_of_few_rows(fields),
    if (can_lack_rows && !is.character(fields$innerFun)) note_of_unknown_failures(fields),
    note_of_balanced_blocks(fields)
  )
}

note_of_few_rows <- function(fields) {
  named <- if (is.character(fields$innerFun)) fields$innerFun else "function"
  if (named == "mean" && fields$scheme != "labels") {
    paste0("a block with fewer than ", ceiling(fields$subsetSize / 2), " complete rows counts the ",
      "middle of `rng` for each row that it lacks"
    )
  } else {
    paste(
      switch(named,
        mean = , median = "a block without a complete row",
        var = "a block of fewer than two complete rows",
        "a block whose complete rows are too few for `innerFun`"
      ),
      if (drops_failures(fields)) "is left out" else "counts as the middle of `outputRange`"
    )
  }
}

note_of_unknown_failures <- function(fields) {
  if (!counts_failures(fields)) {
    "how many blocks fail is not released: `failureShare` releases it"
  }
}

# Notes that all candidates on one side of the results have the same balance of blocks.
note_of_balanced_blocks <- function(fields) {
  if (selects_rank(fields) && is.null(fields$score)) {
    paste("if most results are between two candidates, the release can be any candidate: use",
      'score = "nearest"'
    )
  }
}

# Notes more failures than noise explains, for a release that counts them.
note_of_failures <- function(x) {
  if (isTRUE(x$nFailed > x$nFailedAccuracy)) {
    paste0("about ", show_number(x$nFailed, 4),
      " blocks failed: the release says nothing of their rows"
    )
  }
}
