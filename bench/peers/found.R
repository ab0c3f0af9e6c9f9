# What poLCA finds with its default settings, seed by seed: Rscript found.R poLCA FILE CLASSES STARTS SEEDS. Prints a line of JSON.
# Standard errors are left out, so that the time is that of the fit.
suppressMessages(library(poLCA))
task <- commandArgs(trailingOnly = TRUE)
cells <- read.csv(task[2]); classes <- as.integer(task[3]); starts <- as.integer(task[4]); seeds <- as.integer(task[5])
rows <- cells[rep(seq_len(nrow(cells)), cells$n), names(cells) != "n"]
formula <- as.formula(sprintf("cbind(%s) ~ 1", paste(names(rows), collapse = ",")))
fits <- lapply(seq_len(seeds), function(seed) {
  set.seed(seed)
  used <- system.time(fit <- poLCA(formula, rows, nclass = classes, nrep = starts, na.rm = FALSE, calc.se = FALSE, verbose = FALSE))
  list(llik = fit$llik, steps = fit$numiter, cpu = used[["user.self"]] + used[["sys.self"]], df = fit$resid.df, npar = fit$npar, bic = fit$bic)
})
column <- function(name) sapply(fits, `[[`, name)
list_of <- function(x) paste0("[", paste(format(x, digits = 15), collapse = ","), "]")
best <- fits[[which.max(column("llik"))]]
cat(sprintf('{"logLikelihoods":%s,"steps":%s,"cpu":%s,"df":%d,"parameters":%d,"bic":%.6f}\n', list_of(column("llik")), list_of(column("steps")),
  list_of(column("cpu")), as.integer(best$df), as.integer(best$npar), best$bic))
