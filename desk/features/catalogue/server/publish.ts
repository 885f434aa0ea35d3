import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict, badRequest, notFound, HttpError } from '#kit/server/http-error.ts'
import { parseFutureInstant } from '#kit/server/parse-instant.ts'
import { diffCatalogues } from '#features/plans/server/catalogue-changes.ts'
import { requiresApproval } from '#features/plans/server/catalogue-approval.ts'
import { lockAndApplyDueVersions, readKnownCatalogues, writeCatalogue } from '#features/plans/server/catalogue.ts'
import { lockCatalogue } from '#features/plans/server/catalogue.store.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { requestApproval, type ApprovalHandler } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow, ApprovalPayloads } from '#desk/features/approvals/server/approvals.store.ts'
import { type CatalogueReason, formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { catalogueMessages } from '../catalogue.contract.ts'
import { type Draft, findDraft, markPublished, type DraftRevision } from './drafts.store.ts'

export type PublishDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }
export type PublishRequest = DraftRevision & { when: 'now' | 'then'; at: string; reason: CatalogueReason; note: string }

/**
 * Publishes a draft that needs no second person.
 * @returns the version's number
 * @throws 403 if a second person must approve it, 409 if the draft has changed since the person saw it
 */
export async function publishWithoutApproval(
  deps: PublishDeps,
  staff: SignedInStaff,
  request: PublishRequest,
): Promise<number> {
  const draft = await requireDraftRevision(deps.db, request)
  const [at, actor] = [parsePublishTime(deps, request), toStaffActor(staff, formatStoredReason(request))]
  return transact(deps.db, async (trx) => {
    await lockAndApplyDueVersions(trx, deps.clock)
    const known = await readKnownCatalogues(trx)
    requireChanges(known, draft.content)
    if (await requiresApproval(trx, known, draft.content))
      throw new HttpError(403, { code: catalogueMessages.needsApproval, second_person: true })
    const { version } = await writeCatalogue(trx, deps.clock, { catalogue: draft.content, at, actor })
    if (!(await markPublished(trx, draft, version.number))) throw conflict(catalogueMessages.changed)
    return version.number
  })
}

/**
 * Requests approval for a draft.
 * @throws 409 if no approval is needed, a request is already open, or the draft has changed since the person saw it
 */
export const requestPublishApproval = (
  deps: PublishDeps,
  staff: SignedInStaff,
  request: PublishRequest,
): Promise<ApprovalRow> =>
  transact(deps.db, async (trx) => {
    await lockCatalogue(trx)
    const draft = await requireDraftRevision(trx, request)
    const at = parsePublishTime(deps, request)
    const known = await readKnownCatalogues(trx)
    requireChanges(known, draft.content)
    if (!(await requiresApproval(trx, known, draft.content))) throw conflict(catalogueMessages.needsNoApproval)
    const [subject, { hash, reason, note }] = [String(draft.number), request]
    const approval = await requestApproval(trx, staff, {
      kind: 'catalogue',
      subject,
      payload: { draft: draft.number, hash, at: at?.toString() ?? null },
      reason,
      note,
      isStale: (open) => isStaleRequest(open, hash, deps.clock),
    })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      actor: toStaffActor(staff, formatStoredReason(request)),
      details: { approval: approval.id, kind: 'catalogue', draft: draft.number },
    })
    return approval
  })

export const publishApprovedDraft =
  (deps: PublishDeps): ApprovalHandler<'catalogue'> =>
  async ({ asked_by, asker, payload, reason, note }, decider, settle) => {
    const draft = await findDraft(deps.db, payload.draft)
    if (!draft || draft.hash !== payload.hash || draft.published_as !== null)
      throw conflict(catalogueMessages.changedSince)
    const at = payload.at === null ? null : Temporal.Instant.from(payload.at)
    if (isStartInPast(payload, deps.clock)) throw conflict(catalogueMessages.requestedTimePassed)
    const why = formatStoredReason({ reason: reason as CatalogueReason, note })
    const actor = { by: 'staff', id: asked_by, name: asker, reason: why } as const
    await transact(deps.db, async (trx) => {
      await lockAndApplyDueVersions(trx, deps.clock)
      await settle(trx)
      const newVersion = { catalogue: draft.content, at, actor, approvedBy: decider.name }
      const { version } = await writeCatalogue(trx, deps.clock, newVersion)
      if (!(await markPublished(trx, draft, version.number))) throw conflict(catalogueMessages.changedSince)
    })
    return { outcome: null, why: null }
  }

type CataloguePayload = ApprovalPayloads['catalogue']

const isStartInPast = ({ at }: CataloguePayload, clock: Clock): boolean =>
  at !== null && Temporal.Instant.compare(Temporal.Instant.from(at), clock.now()) <= 0

export const isStaleRequest = (payload: CataloguePayload, hash: string, clock: Clock): boolean =>
  payload.hash !== hash || isStartInPast(payload, clock)

async function requireDraftRevision(
  db: Parameters<typeof findDraft>[0],
  { number, hash }: DraftRevision,
): Promise<Draft> {
  const draft = await findDraft(db, number)
  if (!draft) throw notFound()
  if (draft.hash !== hash || draft.published_as !== null) throw conflict(catalogueMessages.changed)
  return draft
}

/**
 * Returns when a version goes on sale; `null` means now.
 * @throws 400 for a time that has passed or does not exist in the market's time zone
 */
function parsePublishTime({ market, clock }: PublishDeps, { when, at }: PublishRequest): Temporal.Instant | null {
  if (when === 'now') return null
  const parsed = parseFutureInstant(at, market.zone, clock.now())
  if ('instant' in parsed) return parsed.instant
  throw badRequest({ at: [parsed.fault === 'over' ? catalogueMessages.timePassed : catalogueMessages.notADay] })
}

function requireChanges(known: Catalogue[], catalogue: Catalogue): void {
  if (known.every((before) => diffCatalogues(before, catalogue).length === 0)) throw conflict(catalogueMessages.same)
}
