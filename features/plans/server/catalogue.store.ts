import { createHash } from 'node:crypto'
import { type ColumnType, type Generated, type Selectable, sql } from 'kysely'
import { type Actor, nameOf } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Catalogue } from './plans.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    catalogue_versions: CatalogueVersionTable
  }
}

type CatalogueVersionTable = {
  // Made by the database.
  number: Generated<number>
  hash: string
  content: ColumnType<Catalogue, string, never>
  actor: string
  made_at: Date
  effective_at: Date
  applied_at: Date | null
  canceled_at: Date | null
  /** Of a version that a member of staff published: why, and who approved it where a second person was needed. */
  reason: ColumnType<string | null, string | null | undefined, never>
  approved_by: ColumnType<string | null, string | null | undefined, never>
}
export type CatalogueVersion = Omit<Selectable<CatalogueVersionTable>, 'content' | 'hash'>

const told = [
  'number',
  'actor',
  'made_at',
  'effective_at',
  'applied_at',
  'canceled_at',
  'reason',
  'approved_by',
] as const

/** Changes of the catalogue take turns, over all processes; whoever reads it waits for nobody. */
export const lockCatalogue = (trx: Trx): Promise<unknown> =>
  sql`lock table catalogue_versions in share row exclusive mode`.execute(trx)

/** The same for catalogues that say the same in the same order. */
export const hashOf = (catalogue: Catalogue): string =>
  createHash('sha256').update(JSON.stringify(catalogue)).digest('hex')

/** The latest version with this content, whatever became of it. */
export const findVersionLike = (trx: Trx, catalogue: Catalogue): Promise<CatalogueVersion | undefined> =>
  trx
    .selectFrom('catalogue_versions')
    .select(told)
    .where('hash', '=', hashOf(catalogue))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

type NewVersion = {
  catalogue: Catalogue
  actor: Actor
  approvedBy?: string
  now: Temporal.Instant
  at: Temporal.Instant
}

/** Writes a version down; it is not for sale before it is applied. */
export const insertVersion = (
  trx: Trx,
  { catalogue, actor, approvedBy, now, at }: NewVersion,
): Promise<CatalogueVersion> =>
  trx
    .insertInto('catalogue_versions')
    .values({
      hash: hashOf(catalogue),
      content: JSON.stringify(catalogue),
      actor: nameOf(actor) ?? 'customer',
      made_at: toDate(now),
      effective_at: toDate(at),
      applied_at: null,
      canceled_at: null,
      ...(actor.by === 'staff' && { reason: actor.reason }),
      ...(approvedBy !== undefined && { approved_by: approvedBy }),
    })
    .returning(told)
    .executeTakeFirstOrThrow()

/** What waits for its instant, earliest first. */
const waiting = (db: Db | Trx) =>
  db
    .selectFrom('catalogue_versions')
    .where('applied_at', 'is', null)
    .where('canceled_at', 'is', null)
    .orderBy('effective_at')
    .orderBy('number')

export const listWaitingVersions = (db: Db | Trx): Promise<CatalogueVersion[]> => waiting(db).select(told).execute()

/** What those say. */
export async function readWaiting(trx: Trx): Promise<Catalogue[]> {
  const rows = await waiting(trx).select('content').execute()
  return rows.map(({ content }) => content)
}

/** When the next one is due; null when none waits. */
export async function nextVersionDue(db: Db): Promise<Date | null> {
  const next = await waiting(db).select('effective_at').limit(1).executeTakeFirst()
  return next?.effective_at ?? null
}

/** The earliest that is due, with its content; the caller holds the lock. */
export const findVersionDue = (
  trx: Trx,
  now: Temporal.Instant,
): Promise<{ number: number; content: Catalogue } | undefined> =>
  waiting(trx).select(['number', 'content']).where('effective_at', '<=', toDate(now)).limit(1).executeTakeFirst()

export const markApplied = (trx: Trx, number: number, now: Temporal.Instant): Promise<CatalogueVersion> =>
  trx
    .updateTable('catalogue_versions')
    .set({ applied_at: toDate(now) })
    .where('number', '=', number)
    .returning(told)
    .executeTakeFirstOrThrow()

/** Calls off what has not been applied; false when there is no such version. */
export async function cancelVersion(trx: Trx, number: number, now: Temporal.Instant): Promise<boolean> {
  const result = await trx
    .updateTable('catalogue_versions')
    .set({ canceled_at: toDate(now) })
    .where('number', '=', number)
    .where('applied_at', 'is', null)
    .where('canceled_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The version whose content is for sale; none on a database of before there were versions. */
export const findAppliedVersion = (db: Db | Trx): Promise<CatalogueVersion | undefined> =>
  db
    .selectFrom('catalogue_versions')
    .select(told)
    .where('applied_at', 'is not', null)
    // Of several that were due at once the last to be applied.
    .orderBy('applied_at', 'desc')
    .orderBy('effective_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findVersion = (db: Db, number: number): Promise<(CatalogueVersion & { content: Catalogue }) | undefined> =>
  db
    .selectFrom('catalogue_versions')
    .select([...told, 'content'])
    .where('number', '=', number)
    .executeTakeFirst()

/** What was for sale before a version was; null when nothing was written down of it. */
export async function findContentBefore(db: Db, { number, applied_at }: CatalogueVersion): Promise<Catalogue | null> {
  if (!applied_at) return null
  const before = await db
    .selectFrom('catalogue_versions')
    .select('content')
    .where('number', '!=', number)
    .where('applied_at', '<=', applied_at)
    .where(({ eb, or }) => or([eb('applied_at', '<', applied_at), eb('number', '<', number)]))
    .orderBy('applied_at', 'desc')
    .orderBy('effective_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return before?.content ?? null
}

/** The newest versions, newest first. */
export const listVersions = (db: Db, limit: number): Promise<CatalogueVersion[]> =>
  db.selectFrom('catalogue_versions').select(told).orderBy('number', 'desc').limit(limit).execute()
