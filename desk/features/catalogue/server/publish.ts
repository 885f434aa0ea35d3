import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict, invalid, notFound, Refusal } from '#kit/server/refusal.ts'
import { instantToCome } from '#kit/server/typed-instant.ts'
import { changesOf } from '#features/plans/server/catalogue-changes.ts'
import { needsSecondPerson } from '#features/plans/server/catalogue-alone.ts'
import { lockUpToDate, readKnown, writeCatalogue } from '#features/plans/server/catalogue.ts'
import { lockCatalogue } from '#features/plans/server/catalogue.store.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { askForApproval, type RunApproved } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow, Payloads } from '#desk/features/approvals/server/approvals.store.ts'
import { type CatalogueReason, reasonLine } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { catalogueMessages } from '../catalogue.contract.ts'
import { type Draft, findDraft, markPublished, type SeenDraft } from './drafts.store.ts'

export type PublishDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }
export type PublishWish = SeenDraft & { when: 'now' | 'then'; at: string; reason: CatalogueReason; note: string }

/**
 * Publishes a draft that needs no second person.
 * @returns the version's number
 * @throws 403 when a second person is needed, 409 when the draft is not the one that they saw
 */
export async function publishAlone(deps: PublishDeps, staff: SignedInStaff, wish: PublishWish): Promise<number> {
  const draft = await seenDraft(deps.db, wish)
  const [at, actor] = [atOf(deps, wish), actorOf(staff, reasonLine(wish))]
  return transact(deps.db, async (trx) => {
    await lockUpToDate(trx, deps.clock)
    const known = await readKnown(trx)
    refuseSame(known, draft.content)
    if (await needsSecondPerson(trx, known, draft.content))
      throw new Refusal(403, { code: catalogueMessages.second, second_person: true })
    const { version } = await writeCatalogue(trx, deps.clock, { catalogue: draft.content, at, actor })
    if (!(await markPublished(trx, draft, version.number))) throw conflict(catalogueMessages.changed)
    return version.number
  })
}

/**
 * Requests approval of a draft.
 * @throws 409 when no approval is needed, a request is open, or the draft is not the one that they saw
 */
export const askToPublish = (deps: PublishDeps, staff: SignedInStaff, wish: PublishWish): Promise<ApprovalRow> =>
  transact(deps.db, async (trx) => {
    await lockCatalogue(trx)
    const draft = await seenDraft(trx, wish)
    const at = atOf(deps, wish)
    const known = await readKnown(trx)
    refuseSame(known, draft.content)
    if (!(await needsSecondPerson(trx, known, draft.content))) throw conflict(catalogueMessages.alone)
    const [subject, { hash, reason, note }] = [String(draft.number), wish]
    const approval = await askForApproval(trx, staff, {
      kind: 'catalogue',
      subject,
      payload: { draft: draft.number, hash, at: at?.toString() ?? null },
      reason,
      note,
      isStale: (open) => isStaleRequest(open, hash, deps.clock),
    })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      actor: actorOf(staff, reasonLine(wish)),
      details: { approval: approval.id, kind: 'catalogue', draft: draft.number },
    })
    return approval
  })

export const publishApproved =
  (deps: PublishDeps): RunApproved<'catalogue'> =>
  async ({ asked_by, asker, payload, reason, note }, decider, settle) => {
    const draft = await findDraft(deps.db, payload.draft)
    if (!draft || draft.hash !== payload.hash || draft.published_as !== null)
      throw conflict(catalogueMessages.changedSince)
    const at = payload.at === null ? null : Temporal.Instant.from(payload.at)
    if (isOver(payload, deps.clock)) throw conflict(catalogueMessages.overSince)
    const why = reasonLine({ reason: reason as CatalogueReason, note })
    const actor = { by: 'staff', id: asked_by, name: asker, reason: why } as const
    await transact(deps.db, async (trx) => {
      await lockUpToDate(trx, deps.clock)
      await settle(trx)
      const wish = { catalogue: draft.content, at, actor, approvedBy: decider.name }
      const { version } = await writeCatalogue(trx, deps.clock, wish)
      if (!(await markPublished(trx, draft, version.number))) throw conflict(catalogueMessages.changedSince)
    })
    return { outcome: null, why: null }
  }

type Asked = Payloads['catalogue']

const isOver = ({ at }: Asked, clock: Clock): boolean =>
  at !== null && Temporal.Instant.compare(Temporal.Instant.from(at), clock.now()) <= 0

export const isStaleRequest = (asked: Asked, hash: string, clock: Clock): boolean =>
  asked.hash !== hash || isOver(asked, clock)

async function seenDraft(db: Parameters<typeof findDraft>[0], { number, hash }: SeenDraft): Promise<Draft> {
  const draft = await findDraft(db, number)
  if (!draft) throw notFound()
  if (draft.hash !== hash || draft.published_as !== null) throw conflict(catalogueMessages.changed)
  return draft
}

/** `null` means now. @throws 400 for a time that is past or does not exist in the market's zone */
function atOf({ market, clock }: PublishDeps, { when, at }: PublishWish): Temporal.Instant | null {
  if (when === 'now') return null
  const said = instantToCome(at, market.zone, clock.now())
  if ('instant' in said) return said.instant
  throw invalid({ at: [said.fault === 'over' ? catalogueMessages.over : catalogueMessages.notADay] })
}

function refuseSame(known: Catalogue[], catalogue: Catalogue): void {
  if (known.every((before) => changesOf(before, catalogue).length === 0)) throw conflict(catalogueMessages.same)
}
