# poLCA's own loop of EM on one problem, from a random start: Rscript speed.R FOLDER ITEMS CLASSES STEPS. Prints a line of JSON like speed.py.
# The loop is that of poLCA() and calls the same compiled functions; what poLCA() does after it (standard errors, the table of cells) is left out.
suppressMessages(library(poLCA))
task <- commandArgs(trailingOnly = TRUE)
items <- as.integer(task[2]); classes <- as.integer(task[3]); steps <- as.integer(task[4])
read_column <- function(n) {
  con <- file(sprintf("%s/answer%d.npy", task[1], n), "rb")
  on.exit(close(con))
  readBin(con, "raw", 8)
  header <- readBin(con, "integer", 1, size = 2, signed = FALSE)
  count <- as.integer(sub(".*\\((\\d+),\\).*", "\\1", readChar(con, header)))
  readBin(con, "integer", count, size = 4) + 1L
}
y <- sapply(seq_len(items) - 1, read_column)
total <- nrow(y)
set.seed(1)
probs <- lapply(seq_len(items), function(j) { p <- matrix(runif(classes * max(y[, j])), classes); p / rowSums(p) })
vp <- poLCA:::poLCA.vectorize(probs)
prior <- matrix(1 / classes, total, classes)
seconds <- cpu <- loss <- numeric()
at <- proc.time()
for (step in seq_len(steps)) {
  rgivy <- poLCA:::poLCA.postClass.C(prior, vp, y)
  vp$vecprobs <- poLCA:::poLCA.probHat.C(rgivy, y, vp)
  prior <- matrix(colMeans(rgivy), nrow = total, ncol = classes, byrow = TRUE)
  llik <- sum(log(rowSums(prior * poLCA:::poLCA.ylik.C(vp, y))) - log(.Machine$double.xmax))
  used <- proc.time() - at
  seconds[step] <- used[["elapsed"]]; cpu[step] <- used[["user.self"]] + used[["sys.self"]]
  loss[step] <- total - llik - total * log(total)
  if (step > 1 && abs(loss[step - 1] - loss[step]) / abs(loss[step]) < 1e-9) break
  at <- proc.time()
}
memory <- as.numeric(sub("\\D*(\\d+).*", "\\1", grep("VmHWM", readLines("/proc/self/status"), value = TRUE))) * 1024
list_of <- function(x) paste0("[", paste(format(x, digits = 15), collapse = ","), "]")
# The first loss is that after the first step, so its seconds are left out, as those of StepMix are.
cat(sprintf('{"seconds":%s,"cpu":%s,"losses":%s,"memory":%.0f}\n', list_of(seconds[-1]), list_of(cpu[-1]), list_of(loss), memory))
