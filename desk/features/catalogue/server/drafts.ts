import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict, badRequest, notFound } from '#kit/server/http-error.ts'
import { parseCatalogueFile } from '#features/plans/server/catalogue-file.ts'
import { lockCatalogue } from '#features/plans/server/catalogue.store.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { catalogueMessages } from '../catalogue.contract.ts'
import * as store from './drafts.store.ts'

export type DraftDeps = { db: Db; clock: Clock }
export type DraftSource = { source: string; catalogue: Catalogue }

/** Parses an uploaded catalogue file. @throws 400 with a list of all errors in the file and where they are */
export function parseCatalogueUpload({ name, text }: { name: string; text: string }): DraftSource {
  const parsed = parseCatalogueFile(text)
  if ('faults' in parsed) throw badRequest({ text: parsed.faults })
  return { source: name || 'A file', catalogue: parsed.catalogue }
}

/**
 * Stores an uploaded catalogue as a draft.
 * @throws 409 if there are too many drafts
 */
export const storeDraft = ({ db, clock }: DraftDeps, staff: SignedInStaff, source: DraftSource): Promise<number> =>
  transact(db, async (trx) => {
    // The lock makes concurrent callers count the drafts one after the other, so that the limit holds.
    await lockCatalogue(trx)
    if ((await store.countOpenDrafts(trx)) >= store.maxDrafts) throw conflict(catalogueMessages.tooMany)
    const number = await store.insertDraft(trx, { ...source, madeBy: staff.id, now: clock.now() })
    await audit(trx, clock, { event: 'catalogue_draft_kept', actor: toStaffActor(staff), details: { draft: number } })
    return number
  })

/**
 * Replaces a draft's content.
 * @throws 404 if there is no such draft, 409 if it has changed since the person saw it
 */
export const changeDraft = (
  { db, clock }: DraftDeps,
  staff: SignedInStaff,
  revision: store.DraftRevision,
  source: DraftSource,
): Promise<void> =>
  transact(db, async (trx) => {
    if (!(await store.findDraft(trx, revision.number))) throw notFound()
    const now = clock.now()
    if (!(await store.replaceDraft(trx, revision, { ...source, madeBy: staff.id, now })))
      throw conflict(catalogueMessages.changed)
    await audit(trx, clock, {
      event: 'catalogue_draft_kept',
      actor: toStaffActor(staff),
      details: { draft: revision.number },
    })
  })

/**
 * Deletes a draft.
 * @throws 404 if there is no such draft, 409 if it has changed since the person saw it
 */
export const dropDraft = (
  { db, clock }: DraftDeps,
  staff: SignedInStaff,
  revision: store.DraftRevision,
): Promise<void> =>
  transact(db, async (trx) => {
    if (!(await store.findDraft(trx, revision.number))) throw notFound()
    if (!(await store.deleteDraft(trx, revision))) throw conflict(catalogueMessages.changed)
    await audit(trx, clock, {
      event: 'catalogue_draft_dropped',
      actor: toStaffActor(staff),
      details: { draft: revision.number },
    })
  })
