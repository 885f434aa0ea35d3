import type { FastifyInstance } from 'fastify'
import type { Market } from '#kit/contract/bootstrap.ts'
import { parseFutureInstant } from '#kit/server/parse-instant.ts'
import { countRenewals } from '#features/auto-renewal/server/auto-renewal.store.ts'
import type { CatalogueChange } from '#features/plans/server/catalogue-changes.ts'
import { type CatalogueVersion, listVersions } from '#features/plans/server/catalogue.store.ts'
import { readCatalogueFolder } from '#features/plans/server/read-catalogue-folder.ts'
import { applyCatalogue, cancelScheduledCatalogue, compareCatalogue } from '#features/plans/server/catalogue.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor } from './request.ts'

export type CatalogueChangeView = CatalogueChange & { renewing: number; told: number }
export type CatalogueView = { products: number; lengths: number }
export type VersionView = ReturnType<typeof presentVersion>

const maxVersionsShown = 50

export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/catalogue', async (_request, reply) => {
    const folder = readFolder(deps)
    if ('faults' in folder) return reply.status(409).send(folder)
    return { products: folder.catalogue.products.length, lengths: folder.catalogue.filters.length }
  })
  app.get('/catalogue/changes', async (_request, reply) => {
    const folder = readFolder(deps)
    if ('faults' in folder) return reply.status(409).send(folder)
    const { changes, waiting } = await compareCatalogue(deps, folder.catalogue)
    const renewals = await countRenewals(deps.db)
    return {
      changes: changes.map((change) => withRenewalCounts(change, renewals)),
      waiting: waiting.map(presentVersion),
    }
  })
  app.post<{ Body: { at?: unknown } | null }>('/catalogue/versions', async (request, reply) => {
    const folder = readFolder(deps)
    if ('faults' in folder) return reply.status(409).send(folder)
    const at = parseStartTime(request.body?.at, deps)
    if (at !== null && 'why' in at) return reply.status(400).send(at)
    // Renewals are counted before the catalogue changes, because with the new catalogue a plan may renew as a different product.
    const renewals = await countRenewals(deps.db)
    const { version, changes } = await applyCatalogue(deps, { ...folder, at, actor: getRequestActor(request) })
    return { version: presentVersion(version), changes: changes.map((change) => withRenewalCounts(change, renewals)) }
  })
  app.get('/catalogue/versions', async () => (await listVersions(deps.db, maxVersionsShown)).map(presentVersion))
  app.post<{ Params: { number: string } }>('/catalogue/versions/:number/call-off', async (request, reply) => {
    const { number } = request.params
    const isCancelled =
      /^\d{1,9}$/.test(number) && (await cancelScheduledCatalogue(deps, Number(number), getRequestActor(request)))
    return isCancelled ? {} : reply.status(404).send({ why: 'There is no scheduled version with this number.' })
  })
}

function readFolder(deps: Deps): { catalogue: Catalogue } | { faults: string[]; why: string } {
  const folder = readCatalogueFolder(deps)
  return 'faults' in folder ? { ...folder, why: 'The provider’s folder has faults. Nothing was changed.' } : folder
}

/** Parses the time at which a catalogue version takes effect. `null` means immediately. */
function parseStartTime(
  at: unknown,
  { market, clock }: { market: Market; clock: Deps['clock'] },
): Temporal.Instant | null | { why: string } {
  if (at === undefined || at === null) return null
  const parsed = parseFutureInstant(String(at), market.zone, clock.now())
  if ('instant' in parsed) return parsed.instant
  if (parsed.fault === 'over') return { why: 'The start time has already passed.' }
  return { why: `Invalid day or time. Write it like 2026-12-01 or 2026-12-01T08:30 (${market.zone}).` }
}

function withRenewalCounts(
  change: CatalogueChange,
  renewals: Awaited<ReturnType<typeof countRenewals>>,
): CatalogueChangeView {
  const { renewing = 0, told = 0 } = renewals.get(change.unique_id ?? '') ?? {}
  return { ...change, renewing, told }
}

const presentVersion = (version: CatalogueVersion) => ({
  version: version.number,
  by: version.actor,
  made: version.made_at.toISOString(),
  from: version.effective_at.toISOString(),
  state: version.applied_at ? 'applied' : version.canceled_at ? 'called off' : 'waits',
})
