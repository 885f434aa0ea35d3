import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict, invalid, notFound } from '#kit/server/refusal.ts'
import { parseCatalogueFile } from '#features/plans/server/catalogue-file.ts'
import { lockCatalogue } from '#features/plans/server/catalogue.store.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { catalogueMessages } from '../catalogue.contract.ts'
import * as store from './drafts.store.ts'

export type DraftDeps = { db: Db; clock: Clock }
/** What a draft is made of. */
export type Source = { source: string; catalogue: Catalogue }

/** A file that was handed in. @throws 400 with every fault in it, each with its place */
export function sourceOf({ name, text }: { name: string; text: string }): Source {
  const read = parseCatalogueFile(text)
  if ('faults' in read) throw invalid({ text: read.faults })
  return { source: name || 'A file', catalogue: read.catalogue }
}

/** Keeps a draft. @throws 409 when there are too many */
export const keepDraft = ({ db, clock }: DraftDeps, staff: SignedInStaff, source: Source): Promise<number> =>
  transact(db, async (trx) => {
    // They are counted in turns.
    await lockCatalogue(trx)
    if ((await store.countOpenDrafts(trx)) >= store.mostDrafts) throw conflict(catalogueMessages.tooMany)
    const number = await store.insertDraft(trx, { ...source, madeBy: staff.id, now: clock.now() })
    await audit(trx, clock, { event: 'catalogue_draft_kept', actor: actorOf(staff), details: { draft: number } })
    return number
  })

/** Gives a draft other content. @throws 409 when it is another than they have seen */
export const changeDraft = (
  { db, clock }: DraftDeps,
  staff: SignedInStaff,
  seen: store.SeenDraft,
  source: Source,
): Promise<void> =>
  transact(db, async (trx) => {
    if (!(await store.findDraft(trx, seen.number))) throw notFound()
    const now = clock.now()
    if (!(await store.replaceDraft(trx, seen, { ...source, madeBy: staff.id, now })))
      throw conflict(catalogueMessages.changed)
    await audit(trx, clock, {
      event: 'catalogue_draft_kept',
      actor: actorOf(staff),
      details: { draft: seen.number },
    })
  })

/** Throws a draft away. @throws 409 when it is another than they have seen */
export const dropDraft = ({ db, clock }: DraftDeps, staff: SignedInStaff, seen: store.SeenDraft): Promise<void> =>
  transact(db, async (trx) => {
    if (!(await store.findDraft(trx, seen.number))) throw notFound()
    if (!(await store.deleteDraft(trx, seen))) throw conflict(catalogueMessages.changed)
    await audit(trx, clock, {
      event: 'catalogue_draft_dropped',
      actor: actorOf(staff),
      details: { draft: seen.number },
    })
  })
