import type { Selectable } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids } from '#kit/server/combined-query.ts'
import type { PlanFilter } from '../plans.contract.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    products: ProductTable
    plan_filters: { position: number; length_days: number; unit: string; promo_text: string | null }
  }
}

type ProductTable = {
  unique_id: string
  sku: string | null
  product_type: 1 | 2
  title: string
  length_days: number
  price_cents: number
  rrp_cents: number | null
  price_rebill_cents: number | null
  colour: string
  sort_order: number
  data_gb: number
  voice_mins: number
  txt_sms: number
  roaming: boolean
  new_customer_only: boolean
  next_product_id: string | null
  code: string
  hidden: boolean
  tax_class: string
}
export type ProductRow = Selectable<ProductTable>

export const listVisibleProducts = (db: Db | Trx): Promise<ProductRow[]> =>
  db.selectFrom('products').selectAll().where('hidden', '=', false).orderBy('sort_order').orderBy('unique_id').execute()

export const findProduct = (db: Db | Trx, uniqueId: string): Promise<ProductRow | undefined> =>
  db.selectFrom('products').selectAll().where('unique_id', '=', uniqueId).executeTakeFirst()

export const findProductByIdOrSubquery = (db: Db, ids: Ids): Promise<ProductRow | undefined> =>
  db
    .selectFrom('products')
    .selectAll()
    .where('unique_id', ...inIds(ids))
    .executeTakeFirst()

export async function findProducts(db: Db | Trx, uniqueIds: string[]): Promise<Map<string, ProductRow>> {
  if (uniqueIds.length === 0) return new Map()
  const rows = await db.selectFrom('products').selectAll().where('unique_id', 'in', uniqueIds).execute()
  return new Map(rows.map((row) => [row.unique_id, row]))
}

export async function findProductsBySku(db: Db | Trx, skus: string[]): Promise<Map<string, ProductRow>> {
  if (skus.length === 0) return new Map()
  const rows = await db.selectFrom('products').selectAll().where('sku', 'in', skus).execute()
  return new Map(rows.flatMap((row) => (row.sku ? [[row.sku, row] as const] : [])))
}

export async function findExtraDataPrice(db: Db | Trx): Promise<number | null> {
  const rows = await db
    .selectFrom('products')
    .selectAll()
    .where('product_type', '=', 2)
    .where('hidden', '=', false)
    .execute()
  return findLowestExtraDataPrice(rows)
}

export function findLowestExtraDataPrice(products: Iterable<ProductRow>): number | null {
  const prices = [...products]
    .filter(({ product_type, hidden, roaming, sku }) => product_type === 2 && !hidden && !roaming && sku !== null)
    .filter(({ data_gb }) => data_gb > 0)
    .map(({ price_cents }) => price_cents)
  return prices.length > 0 ? Math.min(...prices) : null
}

export const listProducts = (db: Db | Trx): Promise<ProductRow[]> =>
  db.selectFrom('products').selectAll().orderBy('unique_id').execute()

export async function listFilters(db: Db | Trx): Promise<PlanFilter[]> {
  const rows = await db.selectFrom('plan_filters').selectAll().orderBy('position').execute()
  return rows.map(({ length_days, ...filter }) => ({ ...filter, length: length_days }))
}

/** `free` confirms a price of 0 when a catalogue file is checked. It has no column in the products table. */
export type CatalogueProduct = ProductRow & { free?: boolean | undefined }

export type Catalogue = { products: CatalogueProduct[]; filters: PlanFilter[] }

export async function readCatalogue(db: Db | Trx): Promise<Catalogue> {
  const products = await listProducts(db)
  return { products, filters: await listFilters(db) }
}

/** Imports a catalogue: adds or updates its products, and hides all others. */
export async function importCatalogue(trx: Trx, catalogue: Catalogue): Promise<void> {
  const { products, filters } = catalogue
  const productIds = products.map(({ unique_id }) => unique_id)
  await trx.updateTable('products').set({ hidden: true }).where('unique_id', 'not in', productIds).execute()
  // Insert all products in one statement, because a product's successor may come later in the list.
  await trx
    .insertInto('products')
    .values(products.map(({ free: _, ...product }) => product))
    .onConflict((conflict) =>
      conflict
        .column('unique_id')
        .doUpdateSet((row) =>
          Object.fromEntries(importedColumns.map((column) => [column, row.ref(`excluded.${column}`)])),
        ),
    )
    .execute()
  await trx.deleteFrom('plan_filters').execute()
  await trx
    .insertInto('plan_filters')
    .values(filters.map(({ length, ...filter }) => ({ ...filter, length_days: length })))
    .execute()
}

const importedColumns = [
  'sku',
  'product_type',
  'title',
  'length_days',
  'price_cents',
  'rrp_cents',
  'price_rebill_cents',
  'colour',
  'sort_order',
  'data_gb',
  'voice_mins',
  'txt_sms',
  'roaming',
  'new_customer_only',
  'next_product_id',
  'code',
  'hidden',
  'tax_class',
] as const satisfies (keyof ProductTable)[]
