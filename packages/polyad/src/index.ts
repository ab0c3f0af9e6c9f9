export { irisExperiment } from './report/iris-experiment.ts'
