# Fails unless blocks of dpSampleAndAggregate() run as jobs of Slurm, by package future.batchtools,
# as they do here. A job that is cancelled is sent again, and files are what ?block_workers says of
# them. Starts a cluster of only this machine, with separate ports and files, and ends it.
library(PSIlence)

home <- tempfile("slurm-")
dir.create(home, mode = "0700")
at_home <- function(...) file.path(home, ...)
host <- sub("[.].*", "", Sys.info()[["nodename"]])
me <- Sys.info()[["effective_user"]]
ports <- 20000L + 2L * (Sys.getpid() %% 20000L) + 0:1

# Its daemons, which ask each other and srun for tickets that munged signs.
writeBin(as.raw(openssl::rand_bytes(128)), at_home("munge.key"))
Sys.chmod(at_home("munge.key"), "0600")
dir.create(at_home("state"))
dir.create(at_home("spool"))
dir.create(at_home("blocks"))
writeLines(c(
  "ClusterName=blocks",
  sprintf("SlurmctldHost=%s(127.0.0.1)", host),
  sprintf("SlurmUser=%s", me),
  sprintf("SlurmdUser=%s", me),
  sprintf("SlurmctldPort=%d", ports[[1]]),
  sprintf("SlurmdPort=%d", ports[[2]]),
  "AuthType=auth/munge",
  sprintf("AuthInfo=socket=%s", at_home("munge.socket")),
  sprintf("StateSaveLocation=%s", at_home("state")),
  sprintf("SlurmdSpoolDir=%s", at_home("spool")),
  sprintf("SlurmctldPidFile=%s", at_home("slurmctld.pid")),
  sprintf("SlurmdPidFile=%s", at_home("slurmd.pid")),
  "ProctrackType=proctrack/linuxproc",
  "TaskPlugin=task/none",
  "MpiDefault=none",
  "SelectType=select/cons_tres",
  "SelectTypeParameters=CR_Core",
  "ReturnToService=2",
  "MinJobAge=30",
  sprintf("NodeName=%s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN", host),
  "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
), at_home("slurm.conf"))
Sys.setenv(SLURM_CONF = at_home("slurm.conf"))

started <- list()
start <- function(name, args) {
  log <- at_home(paste0(name, ".log"))
  started[[name]] <<- processx::process$new(name, args, stdout = log, stderr = "2>&1")
}
stop_all <- function() {
  for (process in rev(started)) process$kill_tree()
  unlink(home, recursive = TRUE)
}
invisible(reg.finalizer(globalenv(), function(env) stop_all(), onexit = TRUE))

until <- function(what, holds, seconds = 60) {
  end <- Sys.time() + seconds
  while (!holds()) {
    if (Sys.time() > end) {
      for (log in list.files(home, "[.]log$", full.names = TRUE)) {
        cat(basename(log), utils::tail(readLines(log), 10), "", sep = "\n")
      }
      stop("within ", seconds, " seconds not ", what)
    }
    Sys.sleep(0.1)
  }
}
slurm <- function(command, ...) {
  suppressWarnings(system2(command, c(...), stdout = TRUE, stderr = FALSE))
}

start("munged", c(
  "--foreground", "--force", paste0("--key-file=", at_home("munge.key")),
  paste0("--socket=", at_home("munge.socket")), paste0("--pid-file=", at_home("munge.pid")),
  paste0("--log-file=", at_home("munge-own.log")), paste0("--seed-file=", at_home("munge.seed"))
))
until("munged is there", function() file.exists(at_home("munge.socket")))
start("slurmctld", c("-D", "-i"))
start("slurmd", c("-D", "-N", host))
until("an idle node", function() "idle" %in% slurm("sinfo", "--noheader", "--format=%T"))

# What the article "Sample and aggregate on workers" shows.
Sys.umask("077")
options(future.cache.path = at_home("blocks"))
future::plan(future.batchtools::batchtools_slurm,
  workers = 2, resources = list(time = "00:10:00")
)

canary <- 7417.3391
twelve <- data.frame(x = c(1:11, canary))
statistic_of <- function(fun) {
  suppressWarnings(dpSampleAndAggregate(
    innerFun = fun, outputRange = c(-10, 20), aggregationFun = "Mean", numSubsets = 4,
    mechanism = "mechanismLaplace", varType = "numeric", variable = "x", n = 12,
    rng = c(0, 1e4), epsilon = 1e9
  ))
}
files <- function() {
  list.files(at_home("blocks"), recursive = TRUE, full.names = TRUE, include.dirs = TRUE)
}
is_right <- function(release, wanted) abs(release - wanted) < 1e-3

process <- Sys.getpid()
on_slurm <- statistic_of(function(x) {
  in_job <- nzchar(Sys.getenv("SLURM_JOB_ID")) && Sys.getpid() != process
  if (in_job) length(x) else stop("not a job")
})$release(twelve)$release
left <- files()

# A job that has begun waits, and is cancelled from outside. The one that follows finds its file.
met <- at_home("met")
waits <- statistic_of(function(x) {
  if (any(x == canary) && !file.exists(met)) {
    writeLines(Sys.getenv("SLURM_JOB_ID"), paste0(met, "-"))
    file.rename(paste0(met, "-"), met)
    Sys.sleep(600)
  }
  20
})
canceller <- callr::r_bg(function(met, blocks) {
  while (!file.exists(met)) Sys.sleep(0.1)
  modes <- format(file.info(list.files(blocks, recursive = TRUE, full.names = TRUE))$mode)
  system2("scancel", readLines(met))
  modes
}, list(met, at_home("blocks")))
cancelled <- waits$release(twelve)$release
modes <- canceller$get_result()

cat("a mean of rows in jobs:", on_slurm, "\nafter a job was cancelled:", cancelled, "\n")
cat("files that jobs left:", length(left), "; that the cancelled job left:", length(files()), "\n")
stopifnot(
  "blocks run in jobs, with the results that they have here" = is_right(on_slurm, 3),
  "files of jobs that ended well are deleted" = !any(grepl("[.]rds$", left)),
  "a block whose job was cancelled is sent again" = is_right(cancelled, 20),
  "files of jobs are for the owner alone" = length(modes) > 0 && all(modes %in% c("600", "700")),
  "files of the job that was cancelled stay" = any(grepl("[.]rds$", files()))
)
future::plan(future::sequential)
cat("Blocks run as jobs of Slurm.\n")
