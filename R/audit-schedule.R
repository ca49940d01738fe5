# The course of an audit: batches of draws, experts that learn, and pairs that are dropped.

first_batch <- 64
first_batch_with_delta <- 512
batch_growth <- 0.25
most_in_batch <- 20000
batches_before_drop <- 6

# `plan` is list(opened, claim, pairs, alpha, until, draws, observe, stop_early, tick). Returns the
# state: an environment with `pairs`, `refuted` by rung, `total` draws and `log`.
run_audit <- function(plan) {
  audit <- new.env()
  audit$pairs <- lapply(plan$pairs, new_track, plan)
  audit$refuted <- logical(length(plan$claim$amounts))
  audit$total <- 0
  audit$log <- list()
  audit$kept_since <- 0
  begun <- proc.time()[["elapsed"]]
  repeat {
    for (k in which(vapply(audit$pairs, `[[`, NA, "alive"))) {
      extend_track(audit$pairs[[k]], audit, plan)
      if (is_over(audit, plan)) break
    }
    note_progress(audit, plan, proc.time()[["elapsed"]] - begun)
    if (is_over(audit, plan)) break
    drop_pairs(audit, plan)
  }
  audit$seconds <- proc.time()[["elapsed"]] - begun
  audit
}

is_over <- function(audit, plan) {
  audit$total >= plan$draws || proc.time()[["elapsed"]] > plan$until ||
    (plan$stop_early && audit$refuted[[plan$claim$rung]])
}

# The draws of one pair, and the wealth of its experts.
new_track <- function(pair, plan) {
  track <- new.env()
  track$pair <- pair
  if (!is.null(plan$opened$prepare)) {
    track$pair$prepared <- lapply(pair$data, plan$opened$prepare)
  }
  track$sides <- integer()
  track$alive <- TRUE
  track$wealth <- rep(0, length(plan$claim$amounts))
  smallest <- min(vapply(plan$claim$points, `[[`, 0, "delta"))
  track$batch <- if (smallest > 0 && smallest < 0.01) first_batch_with_delta else first_batch
  track
}

# Draws a batch, judges it by rules of earlier batches, and learns from it.
extend_track <- function(track, audit, plan) {
  room <- plan$draws - audit$total
  size <- min(most_in_batch, max(track$batch, ceiling(batch_growth * length(track$sides))), room)
  sides <- fair_sides(size)
  seen <- plan$opened$draw(track$pair, sides, plan$until)
  sides <- sides[seq_len(nrow(seen$numbers))]
  if (is.null(track$experts)) {
    track$experts <- experts_for(seen, plan$evidence, plan$observe)
    track$bets <- lapply(track$experts, function(expert) lapply(plan$claim$points, new_bets))
  } else {
    judge_batch(track, seen, sides, audit, plan)
  }
  track$seen <- join_seen(track$seen, seen)
  track$sides <- c(track$sides, sides)
  audit$total <- audit$total + length(sides)
  plan$tick(audit)
}

# Logarithm of the wealth by rung and bet, and the counts so far: right, wrong, abstained.
new_bets <- function(point) {
  list(log_wealth = matrix(0, length(point$ladder), length(audit_bets)), counts = c(0, 0, 0),
    used = 0
  )
}

judge_batch <- function(track, seen, sides, audit, plan) {
  width <- ncol(track$seen$numbers)
  seen <- with_width(seen, width)
  run <- unbroken_run(audit$refuted)
  for (name in names(track$experts)) {
    learnt <- or_else(track$experts[[name]](track$seen, track$sides))
    if (is.null(learnt)) next
    before <- learnt$score(track$seen)[learnt$learned]
    now <- learnt$score(seen)
    for (p in seq_along(plan$claim$points)) {
      point <- plan$claim$points[[p]]
      rule <- rule_of_score(before, track$sides[learnt$learned],
        point$ladder[[max(plan$claim$rung, run)]], point$delta
      )
      counts <- counts_of_names(rule$name(now), sides)
      bets <- track$bets[[name]][[p]]
      growth <- log_growth(counts, plan$factors[[p]][[2 * rule$used]])
      bets$log_wealth <- bets$log_wealth + growth
      bets$counts <- bets$counts + counts
      bets$used <- rule$used
      track$bets[[name]][[p]] <- bets
    }
  }
  track$wealth <- wealth_of_track(track)
  audit$refuted <- audit$refuted | total_wealth(audit) >= -log(plan$alpha)
}

# Equal shares for experts, points and bets, at each rung.
wealth_of_track <- function(track) {
  log_mean_exp(do.call(cbind, lapply(unlist(track$bets, recursive = FALSE), function(bets) {
    log_mean_exp(bets$log_wealth)
  })))
}

total_wealth <- function(audit) log_mean_exp(do.call(cbind, lapply(audit$pairs, `[[`, "wealth")))

# Halves the pairs once all that are left have enough draws. Pairs are ordered by the growth that
# their counts promise, not by wealth: early wealth is luck.
drop_pairs <- function(audit, plan) {
  alive <- Filter(function(track) track$alive, audit$pairs)
  drawn <- vapply(alive, function(track) length(track$sides), 0L)
  smallest <- min(vapply(plan$claim$points, `[[`, 0, "delta"))
  enough <- batches_before_drop * alive[[1]]$batch
  if (smallest > 0) enough <- max(enough, 5 / smallest)
  if (length(alive) < 2 || min(drawn) < audit$kept_since + enough) {
    return(invisible())
  }
  promise <- vapply(alive, promise_of_track, 0, plan)
  for (track in alive[order(promise)][seq_len(floor(length(alive) / 2))]) track$alive <- FALSE
  audit$kept_since <- min(drawn)
}

# Growth for one draw at the claim. Without growth, the largest loss where wealth is 2.
promise_of_track <- function(track, plan) {
  rates <- vapply(track$bets, function(points) {
    max(unlist(Map(function(bets, factors) {
      growth_rate(bets$counts, factors[[max(1, 2 * bets$used)]], plan$claim$rung)
    }, points, plan$factors)))
  }, 0)
  rung <- max(which(track$wealth > log(2)), 0)
  max(rates) + 1e-6 * rung + 1e-9 * track$wealth[[plan$claim$rung]]
}

note_progress <- function(audit, plan, seconds) {
  run <- unbroken_run(audit$refuted)
  audit$log[[length(audit$log) + 1]] <- data.frame(
    draws = audit$total, seconds = seconds,
    bound = if (run > 0) plan$claim$amounts[[run]] else 0,
    log_wealth = total_wealth(audit)[[plan$claim$rung]],
    pairs = sum(vapply(audit$pairs, `[[`, NA, "alive"))
  )
  for (k in seq_along(audit$pairs)) {
    track <- audit$pairs[[k]]
    track$log <- rbind(track$log, data.frame(
      pair = k, draws = length(track$sides), bound = bound_of_track(track, plan)
    ))
  }
}

# Bound of one pair, if it were the only one.
bound_of_track <- function(track, plan) {
  run <- unbroken_run(track$wealth >= -log(plan$alpha))
  if (run > 0) plan$claim$amounts[[run]] else 0
}
