import { availableParallelism } from 'node:os'
import { createTurns } from './overload/turns.ts'

/** Threads that Node has for hashing, looking up names, TLS and reading files together. */
const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) || 4

/**
 * Hashes that are made at once: never more than half of the threads, or the database's next connection would wait for strangers'
 * passwords; nor more than there are processors for them, whom everything else would wait for.
 */
const atOnce = Math.max(1, Math.min(Math.floor(threads / 2), availableParallelism()))

/**
 * Turns at hashing, in this process. Who may come here at all is decided before (`overload/excess.ts`), so that few wait; whoever they
 * are, whether they are refused depends on nothing but how many there are.
 */
export const hashTurns = createTurns({ atOnce, waiting: 128, waitMs: 15_000 })
