# Sends parts of the blocks to a pool of workers, and takes the answers.

# Returns the numbers of each part. `counts` holds how many. A part is NULL if it was lost each
# time, or if no worker was connected for `patience` seconds. `send(part)` sends a part, and
# `arrived(part)` is called when its numbers have arrived.
through_pool <- function(pool, counts, patience, send, arrived) {
  parts <- list2env(list(
    waiting = seq_along(counts), sends = integer(length(counts)), under_way = list(),
    numbers = vector("list", length(counts))
  ))
  # Some plans of package future draw names with R's generator.
  restore_generators <- kept_generators()
  on.exit({
    for (each in parts$under_way) quietly(pool$cancel(each$sent))
    restore_generators()
  })
  inhabited <- now()
  pause <- shortest_pause
  while (length(parts$waiting) + length(parts$under_way) > 0) {
    send_waiting(parts, pool, send)
    looked <- now()
    if (take_ended(parts, pool, counts, arrived)) {
      pause <- shortest_pause
      next
    }
    if (!isTRUE(quietly(pool$is_deserted()))) inhabited <- now()
    if (now() - inhabited > patience) break
    Sys.sleep(max(pause, 4 * (now() - looked)))
    pause <- min(2 * pause, longest_pause)
  }
  parts$numbers
}

# Seconds between two polls of the workers. Polls of a scheduler are slow, so pauses are longer
# then.
shortest_pause <- 0.001
longest_pause <- 0.05

send_waiting <- function(parts, pool, send) {
  while (length(parts$waiting) > 0 && length(parts$under_way) < pool$slots) {
    part <- parts$waiting[[1]]
    parts$waiting <- parts$waiting[-1]
    parts$sends[[part]] <- parts$sends[[part]] + 1L
    parts$under_way <- c(parts$under_way, list(list(part = part, sent = quietly(send(part)))))
  }
}

# TRUE if any part has ended. Parts that could not be sent or polled count as ended.
take_ended <- function(parts, pool, counts, arrived) {
  ended <- vapply(parts$under_way, function(each) {
    is.null(each$sent) || !isFALSE(quietly(pool$is_done(each$sent)))
  }, NA)
  now_here <- parts$under_way[ended]
  parts$under_way <- parts$under_way[!ended]
  for (each in now_here) {
    part <- each$part
    numbers <- if (!is.null(each$sent)) {
      doubles_sent(quietly(pool$value(each$sent)), counts[[part]])
    }
    parts$numbers[part] <- list(numbers)
    if (!is.null(numbers)) {
      arrived(part)
    } else if (parts$sends[[part]] < most_sends) {
      parts$waiting <- c(parts$waiting, part)
    }
  }
  any(ended)
}

# Returns the value of `expr`, or NULL if it fails. Drops messages, which might reveal data.
quietly <- function(expr) {
  or_else(suppressWarnings(suppressMessages(expr)))
}
