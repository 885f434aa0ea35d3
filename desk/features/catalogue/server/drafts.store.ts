import type { Generated, Selectable } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import { hashCatalogue } from '#features/plans/server/catalogue.store.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    catalogue_drafts: DraftTable
  }
}

type DraftTable = {
  number: Generated<number>
  source: string
  hash: string
  content: Json<Catalogue>
  made_by: string
  made_at: Date
  published_as: number | null
}
export type Draft = Selectable<DraftTable>

type DraftContent = { source: string; catalogue: Catalogue; madeBy: string; now: Temporal.Instant }

const toColumns = ({ source, catalogue, madeBy, now }: DraftContent) => ({
  source,
  hash: hashCatalogue(catalogue),
  content: JSON.stringify(catalogue),
  made_by: madeBy,
  made_at: toDate(now),
})

export async function insertDraft(trx: Trx, content: DraftContent): Promise<number> {
  const { number } = await trx
    .insertInto('catalogue_drafts')
    .values({ ...toColumns(content), published_as: null })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

/** Identifies a draft as the caller saw it. A write has no effect if the draft has changed since then. */
export type DraftRevision = { number: number; hash: string }

/** Replaces a draft's content. Returns false if the draft has been changed, published or deleted. */
export async function replaceDraft(trx: Trx, { number, hash }: DraftRevision, content: DraftContent): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('catalogue_drafts')
    .set(toColumns(content))
    .where('number', '=', number)
    .where('hash', '=', hash)
    .where('published_as', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markPublished(trx: Trx, { number, hash }: DraftRevision, version: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('catalogue_drafts')
    .set({ published_as: version })
    .where('number', '=', number)
    .where('hash', '=', hash)
    .where('published_as', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteDraft(trx: Trx, { number, hash }: DraftRevision): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('catalogue_drafts')
    .where('number', '=', number)
    .where('hash', '=', hash)
    .where('published_as', 'is', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

const selectDrafts = (db: Db | Trx) =>
  db
    .selectFrom('catalogue_drafts')
    .innerJoin('staff', 'staff.id', 'catalogue_drafts.made_by')
    .selectAll('catalogue_drafts')
    .select('staff.name as maker')

export type DraftWithAuthor = Draft & { maker: string }

export const findDraft = (db: Db | Trx, number: number): Promise<DraftWithAuthor | undefined> =>
  selectDrafts(db).where('number', '=', number).executeTakeFirst()

export type DraftState = Pick<Draft, 'number' | 'hash' | 'published_as'>

/** Reads drafts without their content, which can be up to a megabyte per draft. */
export const findDraftStates = async (trx: Trx, numbers: number[]): Promise<DraftState[]> =>
  trx.selectFrom('catalogue_drafts').select(['number', 'hash', 'published_as']).where('number', 'in', numbers).execute()

export const maxDrafts = 20

export async function countOpenDrafts(trx: Trx): Promise<number> {
  const { count } = await trx
    .selectFrom('catalogue_drafts')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('published_as', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const listOpenDrafts = (db: Db): Promise<Omit<DraftWithAuthor, 'content'>[]> =>
  db
    .selectFrom('catalogue_drafts')
    .innerJoin('staff', 'staff.id', 'catalogue_drafts.made_by')
    .select(['number', 'source', 'hash', 'made_by', 'catalogue_drafts.made_at', 'published_as', 'staff.name as maker'])
    .where('published_as', 'is', null)
    .orderBy('number', 'desc')
    .limit(maxDrafts)
    .execute()
