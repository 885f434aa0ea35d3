import type { FastifyInstance } from 'fastify'
import { acceptsWrites } from '#kit/server/database-unavailable.ts'
import type { Database } from '#kit/server/db.ts'
import { findSchemaFault } from './prepare-database.ts'

export type Health = {
  database: Pick<Database, 'db' | 'hasFiles'>
  /** Whether the worker is processing its queue and its sweeps. `null` if other processes do that work. */
  isWorking: (() => boolean) | null
  isClosing(): boolean
}

const maxCheckMs = 2_000

export function serveHealth(app: FastifyInstance, watched: Health): void {
  app.get('/healthz', { config: { isQuiet: true, admission: 'first' } }, () => ({ status: 'ok' }))
  app.get('/readyz', { config: { isQuiet: true, admission: 'first' } }, async (_request, reply) => {
    const unavailableParts = await findUnavailableParts(watched)
    if (unavailableParts.length === 0) return { status: 'ok' }
    return reply.status(503).send({ status: 'unavailable', missing: unavailableParts })
  })
}

async function findUnavailableParts({ database: { db, hasFiles }, isWorking, isClosing }: Health): Promise<string[]> {
  if (isClosing()) return ['it is stopping']
  // The embedded database keeps responding for a while after its files have been deleted.
  if (!hasFiles()) return ['data folder']
  if (!(await isTrueWithinTimeout(acceptsWrites(db)))) return ['database']
  // A newer version of the application may have changed the database schema (docs/decisions/0049).
  const isSchemaCurrent = await isTrueWithinTimeout(findSchemaFault(db).then((fault) => fault === null))
  return [...(isSchemaCurrent ? [] : ['schema']), ...(isWorking && !isWorking() ? ['worker'] : [])]
}

async function isTrueWithinTimeout(asked: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), maxCheckMs)
  return Promise.race([asked.catch(() => false), late]).finally(() => clearTimeout(timer))
}
