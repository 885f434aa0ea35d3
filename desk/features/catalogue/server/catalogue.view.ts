import { centsToDecimal } from '#kit/contract/money.ts'
import {
  type CatalogueVersion,
  findAppliedVersion,
  findPreviousContent,
  findVersion,
  listVersions,
  listScheduledVersions,
} from '#features/plans/server/catalogue.store.ts'
import { isAddOnOnSale, isPlanOnSale } from '#features/plans/server/plans.ts'
import { type Catalogue, type ProductRow, readCatalogue } from '#features/plans/server/plans.store.ts'
import { reasonLabel } from '#desk/features/staff/reasons.contract.ts'
import type {
  DeskCatalogue,
  DeskProduct,
  DeskVersion,
  DraftPage,
  VersionPage,
} from '#desk/features/catalogue/catalogue.contract.ts'
import { listOpenDrafts, type DraftWithAuthor } from './drafts.store.ts'
import { type Clock, realNow } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { listFavourableChanges } from '#features/plans/server/catalogue-approval.ts'
import { diffCatalogues } from '#features/plans/server/catalogue-changes.ts'
import { readCatalogueFolder } from '#features/plans/server/read-catalogue-folder.ts'
import { listUnfavourableChanges } from '#features/plans/server/unfavourable-changes.ts'
import { readKnownCatalogues } from '#features/plans/server/catalogue.ts'
import { type ApprovalRequest, findOpenApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { listApprovers } from '#desk/features/approvals/server/approvers.ts'
import { listChanges } from './changes.view.ts'
import { isStaleRequest } from './publish.ts'

export const presentProduct = (row: ProductRow): DeskProduct => ({
  unique_id: row.unique_id,
  title: row.title,
  kind: row.product_type === 1 ? 'plan' : 'add-on',
  days: row.length_days,
  price: centsToDecimal(row.price_cents),
  price_rebill: row.price_rebill_cents === null ? null : centsToDecimal(row.price_rebill_cents),
  data_gb: row.data_gb,
  is_hidden: row.hidden,
  is_for_sale: isPlanOnSale(row) || isAddOnOnSale(row),
})

/**
 * Converts a catalogue version to the response.
 * @param currentNumber the number of the version on sale
 */
export const presentVersion = (version: CatalogueVersion, currentNumber: number | undefined): DeskVersion => ({
  number: version.number,
  from: version.effective_at.toISOString(),
  made: version.made_at.toISOString(),
  by: publishedByLabel(version.actor),
  approved_by: version.approved_by,
  why: version.reason ? reasonLabel(version.reason) : '',
  state: getVersionState(version, currentNumber),
})

function getVersionState(
  { number, applied_at, canceled_at }: CatalogueVersion,
  currentNumber?: number,
): DeskVersion['state'] {
  if (applied_at) return number === currentNumber ? 'for sale' : 'applied'
  return canceled_at ? 'called off' : 'to come'
}

function publishedByLabel(actor: string): string {
  if (actor.startsWith('staff:')) return actor.slice('staff:'.length)
  if (actor.startsWith('operator:')) return `${actor.slice('operator:'.length)} (command line)`
  return actor === 'system' ? 'Provider’s catalogue folder, loaded at start-up' : actor
}

export const presentDraft = ({
  number,
  source,
  maker,
  made_at,
}: Pick<DraftWithAuthor, 'number' | 'source' | 'maker' | 'made_at'>) => ({
  number,
  source,
  by: maker,
  made: made_at.toISOString(),
})

export type CatalogueViewDeps = {
  db: Db
  clock: Clock
  market: { zone: string }
  readCatalogue(): Catalogue
  isDemo: boolean
}

const maxVersions = 50

export async function viewCatalogue(deps: CatalogueViewDeps): Promise<DeskCatalogue> {
  const { db } = deps
  const currentCatalogue = await transact(db, readCatalogue)
  const currentVersion = await findAppliedVersion(db)
  const folder = readCatalogueFolder(deps)
  return {
    products: [...currentCatalogue.products].sort(compareProducts).map(presentProduct),
    versions: (await listVersions(db, maxVersions)).map((version) => presentVersion(version, currentVersion?.number)),
    drafts: (await listOpenDrafts(db)).map(presentDraft),
    folder:
      'faults' in folder
        ? { changes: 0, faults: folder.faults }
        : { changes: diffCatalogues(currentCatalogue, folder.catalogue).length, faults: [] },
  }
}

type SortableProduct = {
  product_type: number
  hidden: boolean
  length_days: number
  sort_order: number
  unique_id: string
}

const compareProducts = (one: SortableProduct, other: SortableProduct): number =>
  one.product_type - other.product_type ||
  Number(one.hidden) - Number(other.hidden) ||
  one.length_days - other.length_days ||
  one.sort_order - other.sort_order ||
  one.unique_id.localeCompare(other.unique_id)

export async function viewVersion({ db }: CatalogueViewDeps, number: number): Promise<VersionPage | undefined> {
  const version = await findVersion(db, number)
  if (!version) return undefined
  const currentVersion = await findAppliedVersion(db)
  const previousCatalogue = version.applied_at
    ? await findPreviousContent(db, version)
    : await transact(db, readCatalogue)
  return {
    version: presentVersion(version, currentVersion?.number),
    changes: previousCatalogue ? await listChanges(db, previousCatalogue, version.content) : [],
  }
}

export async function viewDraft(deps: CatalogueViewDeps, staffId: string, draft: DraftWithAuthor): Promise<DraftPage> {
  const { db, market, clock } = deps
  const known = await transact(db, readKnownCatalogues)
  const scheduledVersions = await listScheduledVersions(db)
  const [present = draft.content] = known
  const subject = String(draft.number)
  const open = await findOpenApproval(db, 'catalogue', subject)
  const isStale = open !== undefined && isStaleRequest(open.payload, draft.hash, clock)
  return {
    draft: { ...presentDraft(draft), hash: draft.hash, published_as: draft.published_as },
    changes: await listChanges(db, present, draft.content),
    worse: listUnfavourableChanges(known, draft.content),
    better: await transact(db, (trx) => listFavourableChanges(trx, draft.content)),
    waiting: scheduledVersions.map((version) => presentVersion(version, undefined)),
    next_month: getNextMonthStart(clock.now(), market.zone),
    asked: open ? { ...presentRequest(open), is_stale: isStale } : null,
    deciders: await listApprovers(deps, open && !isStale ? open : { kind: 'catalogue', subject, asked_by: staffId }),
  }
}

const presentRequest = (open: ApprovalRequest<'catalogue'>) => ({
  by: open.asker,
  from: open.payload.at,
  left_seconds: Math.round((open.lapses_at.getTime() - realNow().epochMilliseconds) / 1_000),
})

function getNextMonthStart(now: Temporal.Instant, zone: string): string {
  const first = now.toZonedDateTimeISO(zone).toPlainDate().with({ day: 1 }).add({ months: 1 })
  return `${first}T00:00`
}
