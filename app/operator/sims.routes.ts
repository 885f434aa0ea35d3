import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { countActivationsBySimLoad } from '#features/orders/server/failed-activations.store.ts'
import { countUnusedSims } from '#features/services/server/sim-packs.store.ts'
import { isSimLoadIdle } from '#features/stock/sim-loads.states.ts'
import { getLineFaultMessage } from '#features/stock/server/sim-line.ts'
import { maxSimFileBytes, SimFileError, getFileTooLargeMessage } from '#features/stock/server/sim-file.ts'
import { followLoad, type ImportProgress, importSims } from '#features/stock/server/sim-import.ts'
import { type BadLineRow, readBadLines } from '#features/stock/server/sim-load-lines.store.ts'
import { findSimLoad, listSimLoads, type SimLoad } from '#features/stock/server/sim-loads.store.ts'
import type { Deps } from '../deps.ts'
import { type JsonLines, sendJsonLines } from './send-json-lines.ts'
import { getRequestActor, isAlphanumericId } from './request.ts'

/** An import of SIM packs. `activated` and `failed` count the last seven days, and are absent while the file is being imported. */
export type SimLoadView = ReturnType<typeof presentSimLoad> & { activated?: number; failed?: number }
export type BadLineView = { line: number; why: string }
/**
 * Lines of the response to an import, in this order. `LoadView` is sent repeatedly to report progress, and once more
 * with the final result.
 */
export type ImportLine = { received: number } | { known: boolean } | SimLoadView | BadLineView | { why: string }

const maxSimLoadsShown = 20
const simLoadNotFound = { why: 'There is no load with this ID.' }

export function simRoutes(app: FastifyInstance, deps: Deps): void {
  app.post<{ Body: unknown; Querystring: { good_only?: string; dry_run?: string } }>(
    '/sims/loads',
    async (request, reply) => {
      if (!(request.body instanceof Readable))
        return reply.status(400).send({ why: 'Send a CSV file, with the content type text/csv.' })
      if (Number(request.headers['content-length'] ?? 0) > maxSimFileBytes)
        return reply.status(413).send({ why: getFileTooLargeMessage() })
      const { good_only: goodOnly, dry_run: dryRun } = request.query
      const options = { actor: getRequestActor(request), goodOnly: goodOnly === 'true', dryRun: dryRun === 'true' }
      // Reading only part of an uploaded file must not close the connection, because the response is sent over it.
      const file = request.body.iterator({ destroyOnReturn: false })
      try {
        const importProgress = await importSims(deps, file, options)
        return sendJsonLines(reply, deps, importLines(deps, importProgress), getRejectionReason)
      } catch (error) {
        const why = getRejectionReason(error)
        if (why === null) throw error
        return reply.status(400).send({ why })
      }
    },
  )
  app.get('/sims/loads', async () => ({
    unused: await countUnusedSims(deps.db),
    loads: await withActivationCounts(deps, await listSimLoads(deps.db, maxSimLoadsShown)),
  }))
  app.get<{ Params: { load: string } }>('/sims/loads/:load', async ({ params }, reply) => {
    const load = isAlphanumericId(params.load) ? await findSimLoad(deps.db, params.load) : undefined
    if (!load || load.state === 'broken_off') return reply.status(404).send(simLoadNotFound)
    return sendJsonLines(reply, deps, statusLines(deps, load))
  })
}

const getRejectionReason = (error: unknown): string | null => (error instanceof SimFileError ? error.message : null)

async function* importLines(deps: Deps, received: AsyncIterable<ImportProgress>): JsonLines {
  for await (const event of received) {
    if ('received' in event) yield { received: event.received } satisfies ImportLine
    else {
      yield { known: event.isKnown } satisfies ImportLine
      for await (const load of followLoad(deps, event.loadId)) {
        if (isSimLoadIdle(load.state)) yield* badLines(deps, load)
        yield presentSimLoad(load) satisfies ImportLine
      }
    }
  }
}

async function* statusLines(deps: Deps, load: SimLoad): JsonLines {
  yield* badLines(deps, load)
  const [view] = await withActivationCounts(deps, [load])
  yield { ...view, unused: await countUnusedSims(deps.db, load.id) }
}

async function* badLines({ db, market }: Deps, { id }: SimLoad): JsonLines {
  const view = ({ line, fault, other_line: other }: BadLineRow): BadLineView => ({
    line,
    why: getLineFaultMessage(fault, { line: other, region: market.phoneRegion }),
  })
  for await (const rows of readBadLines(db, id)) yield rows.map(view)
}

const activationDays = 7

async function withActivationCounts({ db, clock }: Deps, loads: SimLoad[]): Promise<SimLoadView[]> {
  const ended = await countActivationsBySimLoad(
    db,
    loads.map(({ id }) => id),
    clock.now().subtract({ hours: 24 * activationDays }),
  )
  return loads.map((load) => ({ ...presentSimLoad(load), ...(ended.get(load.id) ?? { activated: 0, failed: 0 }) }))
}

const presentSimLoad = (load: SimLoad) => ({
  load: load.id,
  state: load.state,
  lines: load.lines,
  done: Math.min(load.lines, load.done_line - 1),
  loaded: load.loaded,
  bad: load.bad,
  good_only: load.good_only,
  dry_run: load.dry_run,
  by: load.actor,
  created: load.created_at.toISOString(),
  ended: load.ended_at?.toISOString() ?? null,
})
