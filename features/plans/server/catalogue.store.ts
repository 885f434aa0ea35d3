import { createHash } from 'node:crypto'
import { type ColumnType, type ExpressionBuilder, type Generated, type Selectable, sql } from 'kysely'
import { type Actor, formatActor } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import type { Catalogue, CatalogueProduct } from './plans.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    catalogue_versions: CatalogueVersionTable
  }
}

type CatalogueVersionTable = {
  number: Generated<number>
  hash: string
  content: ColumnType<Catalogue, string, never>
  actor: string
  made_at: Date
  effective_at: Date
  applied_at: Date | null
  canceled_at: Date | null
  reason: ColumnType<string | null, string | null | undefined, never>
  approved_by: ColumnType<string | null, string | null | undefined, never>
}
export type CatalogueVersion = Omit<Selectable<CatalogueVersionTable>, 'content' | 'hash'>

const versionColumns = [
  'number',
  'actor',
  'made_at',
  'effective_at',
  'applied_at',
  'canceled_at',
  'reason',
  'approved_by',
] as const

/** Serialises changes to the catalogue across all processes. Readers never wait for this lock. */
export const lockCatalogue = (trx: Trx): Promise<unknown> =>
  sql`lock table catalogue_versions in share row exclusive mode`.execute(trx)

export const hashCatalogue = (catalogue: Catalogue): string =>
  createHash('sha256').update(JSON.stringify(catalogue)).digest('hex')

export const findVersionWithContent = (trx: Trx, catalogue: Catalogue): Promise<CatalogueVersion | undefined> =>
  trx
    .selectFrom('catalogue_versions')
    .select(versionColumns)
    .where('hash', '=', hashCatalogue(catalogue))
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

export const insertVersion = (
  trx: Trx,
  { catalogue, actor, approvedBy, now, at }: NewVersion,
): Promise<CatalogueVersion> =>
  trx
    .insertInto('catalogue_versions')
    .values({
      hash: hashCatalogue(catalogue),
      content: JSON.stringify(catalogue),
      actor: formatActor(actor) ?? 'customer',
      made_at: toDate(now),
      effective_at: toDate(at),
      applied_at: null,
      canceled_at: null,
      ...(actor.by === 'staff' && { reason: actor.reason }),
      ...(approvedBy !== undefined && { approved_by: approvedBy }),
    })
    .returning(versionColumns)
    .executeTakeFirstOrThrow()

const scheduledVersionsQuery = (db: Db | Trx) =>
  db
    .selectFrom('catalogue_versions')
    .where('applied_at', 'is', null)
    .where('canceled_at', 'is', null)
    .orderBy('effective_at')
    .orderBy('number')

export const listScheduledVersions = (db: Db | Trx): Promise<CatalogueVersion[]> =>
  scheduledVersionsQuery(db).select(versionColumns).execute()

export async function readScheduledCatalogues(trx: Trx): Promise<Catalogue[]> {
  const rows = await scheduledVersionsQuery(trx).select('content').execute()
  return rows.map(({ content }) => content)
}

export async function findNextVersionDue(db: Db): Promise<Date | null> {
  const next = await scheduledVersionsQuery(db).select('effective_at').limit(1).executeTakeFirst()
  return next?.effective_at ?? null
}

export type DueVersion = { number: number; isPublishedAlone: boolean; content: Catalogue }

/** The caller must hold the catalogue lock. */
export async function findDueVersion(trx: Trx, now: Temporal.Instant): Promise<DueVersion | undefined> {
  const due = await scheduledVersionsQuery(trx)
    .select(['number', 'content'])
    .select((builder) => approvedCondition(builder).as('is_approved'))
    .where('effective_at', '<=', toDate(now))
    .limit(1)
    .executeTakeFirst()
  return due && { number: due.number, isPublishedAlone: !due.is_approved, content: due.content }
}

export const markApplied = (trx: Trx, number: number, now: Temporal.Instant): Promise<CatalogueVersion> =>
  trx
    .updateTable('catalogue_versions')
    .set({ applied_at: toDate(now) })
    .where('number', '=', number)
    .returning(versionColumns)
    .executeTakeFirstOrThrow()

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

/** The catalogue version on sale; `undefined` in a database that predates catalogue versions. */
export const findAppliedVersion = (db: Db | Trx): Promise<CatalogueVersion | undefined> =>
  latestAppliedVersionQuery(db).select(versionColumns).executeTakeFirst()

const latestAppliedVersionQuery = (db: Db | Trx) => appliedVersionsQuery(db).limit(1)

const appliedVersionsQuery = (db: Db | Trx) =>
  db
    .selectFrom('catalogue_versions')
    .where('applied_at', 'is not', null)
    // Also sort by the other columns, because several versions may have been applied at the same instant.
    .orderBy('applied_at', 'desc')
    .orderBy('effective_at', 'desc')
    .orderBy('number', 'desc')

export const findVersion = (db: Db, number: number): Promise<(CatalogueVersion & { content: Catalogue }) | undefined> =>
  db
    .selectFrom('catalogue_versions')
    .select([...versionColumns, 'content'])
    .where('number', '=', number)
    .executeTakeFirst()

export async function findPreviousContent(db: Db, { number, applied_at }: CatalogueVersion): Promise<Catalogue | null> {
  if (!applied_at) return null
  const previousVersion = await db
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
  return previousVersion?.content ?? null
}

/**
 * A version counts as approved if a second person approved it or a server operator imported it, either at the first
 * start or on the command line.
 */
const approvedCondition = ({ eb, or }: ExpressionBuilder<Tables, 'catalogue_versions'>) =>
  or([eb('approved_by', 'is not', null), eb('actor', 'not like', 'staff:%')])

export async function findApprovedContent(trx: Trx): Promise<Catalogue | null> {
  const version = await latestAppliedVersionQuery(trx).select('content').where(approvedCondition).executeTakeFirst()
  return version?.content ?? null
}

export async function readScheduledApprovedContent(trx: Trx): Promise<Catalogue[]> {
  const rows = await scheduledVersionsQuery(trx).select('content').where(approvedCondition).execute()
  return rows.map(({ content }) => content)
}

export const maxApprovedVersionsSearched = 50

export async function findApprovedProducts(
  trx: Trx,
  { ids, skus }: { ids: string[]; skus: string[] },
): Promise<CatalogueProduct[]> {
  const versions = appliedVersionsQuery(trx)
    .select(['content', 'applied_at', 'effective_at', 'number'])
    .where(approvedCondition)
    .limit(maxApprovedVersionsSearched)
  const { rows } = await sql<{ product: CatalogueProduct }>`
    select distinct on (product->>'unique_id') product
    from ${versions} versions, jsonb_array_elements(content->'products') product
    where product->>'unique_id' = any(${ids}::text[]) or product->>'sku' = any(${skus}::text[])
    order by product->>'unique_id', applied_at desc, effective_at desc, number desc`.execute(trx)
  return rows.map(({ product }) => product)
}

export const listVersions = (db: Db, limit: number): Promise<CatalogueVersion[]> =>
  db.selectFrom('catalogue_versions').select(versionColumns).orderBy('number', 'desc').limit(limit).execute()
