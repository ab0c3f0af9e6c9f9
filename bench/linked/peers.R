# One start of LMest and of depmixS4 on a panel: Rscript bench/linked/peers.R panel.csv classes
arguments <- commandArgs(TRUE)
data <- read.csv(arguments[1])
classes <- as.integer(arguments[2])
items <- grep("^q", names(data), value = TRUE)
measure <- function(name, work) {
  if (!requireNamespace(name, quietly = TRUE)) return(cat(name, "is not installed\n"))
  set.seed(1)
  time <- system.time(found <- work())
  cat(sprintf("%s, one start: %.1f s of a processor, log-likelihood %.2f\n", name, time[["user.self"]], found))
}
measure("LMest", function() {
  formula <- as.formula(paste(paste(items, collapse = " + "), "~ NULL"))
  LMest::lmest(formula, index = c("id", "wave"), data = data, k = classes, start = 1, modBasic = 0, seed = 1)$lk
})
measure("depmixS4", function() {
  model <- depmixS4::depmix(lapply(items, function(q) as.formula(paste(q, "~ 1"))), data = data, nstates = classes,
    family = lapply(items, function(q) depmixS4::multinomial("identity")), ntimes = as.vector(table(data$id)))
  as.numeric(stats4::logLik(depmixS4::fit(model, verbose = FALSE, emcontrol = depmixS4::em.control(rand = TRUE))))
})
