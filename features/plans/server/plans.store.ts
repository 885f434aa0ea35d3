import type { Selectable } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
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

/** Products by their ids, hidden ones too: plans in use still refer to them. */
export async function findProducts(db: Db | Trx, uniqueIds: string[]): Promise<Map<string, ProductRow>> {
  if (uniqueIds.length === 0) return new Map()
  const rows = await db.selectFrom('products').selectAll().where('unique_id', 'in', uniqueIds).execute()
  return new Map(rows.map((row) => [row.unique_id, row]))
}

/** Products by the code that the network knows them by, withdrawn ones too. */
export async function findProductsBySku(db: Db | Trx, skus: string[]): Promise<Map<string, ProductRow>> {
  if (skus.length === 0) return new Map()
  const rows = await db.selectFrom('products').selectAll().where('sku', 'in', skus).execute()
  return new Map(rows.flatMap((row) => (row.sku ? [[row.sku, row] as const] : [])))
}

export async function listFilters(db: Db): Promise<PlanFilter[]> {
  const rows = await db.selectFrom('plan_filters').selectAll().orderBy('position').execute()
  return rows.map(({ length_days, ...filter }) => ({ ...filter, length: length_days }))
}

/** Takes a catalogue in: known products take its values, those it no longer names are hidden. */
export async function importCatalogue(
  db: Db,
  catalogue: { products: ProductRow[]; filters: PlanFilter[] },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('products').set({ hidden: true }).execute()
    // Two rounds, because a product may name a later one as its next.
    for (const { next_product_id: next, ...product } of catalogue.products) {
      const row = { ...product, next_product_id: product.new_customer_only ? product.unique_id : null }
      await trx
        .insertInto('products')
        .values(row)
        .onConflict((conflict) => conflict.column('unique_id').doUpdateSet(row))
        .execute()
    }
    for (const product of catalogue.products) {
      await trx
        .updateTable('products')
        .set({ next_product_id: product.next_product_id })
        .where('unique_id', '=', product.unique_id)
        .execute()
    }
    await trx.deleteFrom('plan_filters').execute()
    for (const { length, ...filter } of catalogue.filters) {
      await trx
        .insertInto('plan_filters')
        .values({ ...filter, length_days: length })
        .execute()
    }
  })
}
