import { availableParallelism } from 'node:os'
import { createSemaphore } from './overload/semaphore.ts'

/** Size of Node's thread pool, which hashing, DNS lookups, TLS and file reads share. */
const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) || 4

/**
 * Maximum hashes that are computed in parallel. At most half of the threads compute hashes, so that a new database connection does not wait
 * for strangers' passwords. More hashes than processors would make everything else wait.
 */
const maxConcurrentHashes = Math.max(1, Math.min(Math.floor(threads / 2), availableParallelism()))

/**
 * The queue for hashing in this process. `overload/overload-protection.ts` limits the callers beforehand, so few callers wait in this
 * queue. Whether a caller is rejected depends only on the length of the queue, not on who the caller is.
 */
export const hashQueue = createSemaphore({ atOnce: maxConcurrentHashes, waiting: 128, waitMs: 15_000 })
