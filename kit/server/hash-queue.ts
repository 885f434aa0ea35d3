import { availableParallelism } from 'node:os'
import { createSemaphore } from './overload/semaphore.ts'

/** Size of Node's thread pool, which hashing shares with DNS lookups, TLS and file reads. */
const threadPoolSize = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) || 4

/**
 * Maximum number of hashes computed in parallel. Hashing uses at most half of the threads, so that a new database connection does not wait
 * while passwords are hashed. Running more hashes than there are processors would slow everything else down.
 */
const maxConcurrentHashes = Math.max(1, Math.min(Math.floor(threadPoolSize / 2), availableParallelism()))

/**
 * This process's queue for hashing. `overload/overload-protection.ts` limits the callers beforehand, so few wait here. Whether a caller is
 * rejected depends only on the length of the queue, not on who is calling.
 */
export const hashQueue = createSemaphore({ atOnce: maxConcurrentHashes, waiting: 128, waitMs: 15_000 })
