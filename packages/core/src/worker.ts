/** The script of all worker threads: the first message to a thread says which of these it serves as. */
import './engine/wasm/worker.ts'
import './fit/running/task-worker.ts'
