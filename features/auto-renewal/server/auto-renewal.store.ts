import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { among, type Ids, question } from '#kit/server/read-together.ts'
import type { DueStep } from './auto-renewal.times.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    auto_renewals: AutoRenewalTable
  }
}

type AutoRenewalTable = {
  service_id: string
  enabled: boolean
  step: DueStep['step'] | null
  due_at: Date | null
  attempts: number
  charge_order_id: string | null
  notified_cents: number | null
  notified_product_id: string | null
  /** While `enabled` is true the charge is retried; otherwise it was given up. */
  failure: Failure | null
  failed_card: string | null
}

export type Failure =
  | 'no-card'
  | 'card-expired'
  | 'no-funds'
  | 'refused'
  | 'unconfirmed'
  | 'network'
  | 'missed'
  | 'withdrawn'
export type AutoRenewal = Selectable<AutoRenewalTable>
type Columns = Updateable<AutoRenewalTable>

const notNotified = { notified_cents: null, notified_product_id: null } satisfies Columns
const notFailed = { failure: null, failed_card: null } satisfies Columns

const columnsOf = (due: DueStep | null) =>
  ({ step: due?.step ?? null, due_at: due && toDate(due.dueAt), attempts: due?.attempts ?? 0 }) satisfies Columns

/** `undefined` if auto-renewal has never been on. Every change locks the service first, so changes are serialised. */
export const findAutoRenewal = (trx: Trx, serviceId: string): Promise<AutoRenewal | undefined> =>
  trx.selectFrom('auto_renewals').selectAll().where('service_id', '=', serviceId).executeTakeFirst()

export async function findAutoRenewals(db: Db | Trx, serviceIds: readonly string[]): Promise<Map<string, AutoRenewal>> {
  const rows = await db
    .selectFrom('auto_renewals')
    .selectAll()
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.service_id, row]))
}

export const autoRenewalsAsked = (db: Db, serviceIds: Ids) => question(autoRenewalsOf(db, serviceIds), { due_at: true })

const autoRenewalsOf = (db: Db | Trx, serviceIds: Ids) =>
  db
    .selectFrom('auto_renewals')
    .selectAll()
    .where('service_id', ...among(serviceIds))

export const notifiedProductsAsked = (db: Db, serviceIds: Ids) =>
  question(
    db
      .selectFrom('products')
      .selectAll()
      .where('unique_id', 'in', (from) =>
        from
          .selectFrom('auto_renewals')
          // `coalesce` makes the planner look up the services instead of all notified rows, which can be thousands in a
          // night.
          .select(sql<string>`coalesce(notified_product_id, '')`.as('id'))
          .where('service_id', ...among(serviceIds)),
      ),
    {},
  )

export async function findRenewing(db: Db, serviceIds: string[]): Promise<Set<string>> {
  if (serviceIds.length === 0) return new Set()
  const rows = await renewingAmong(db, serviceIds).execute()
  return new Set(rows.map((row) => row.service_id))
}

export const renewingAsked = (db: Db, serviceIds: Ids) => question(renewingAmong(db, serviceIds), {})

const renewingAmong = (db: Db, serviceIds: Ids) =>
  db
    .selectFrom('auto_renewals')
    .select('service_id')
    .where('service_id', ...among(serviceIds))
    .where('enabled', '=', true)

/** `byUs`: charged by auto-renewal. */
export type Purchased = {
  orderCode: string
  paidCents: number
  paidAt: Temporal.Instant
  byVoucher: boolean
  byUs: boolean
}

export const purchasesAsked = (db: Db, orderIds: Ids) => question(purchasesOf(db, orderIds), { created_at: true })

const purchasesOf = (db: Db, orderIds: Ids) =>
  db
    .selectFrom('orders')
    .select(['id', 'order_code', 'amount_cents', 'created_at', 'paid_with', 'auto_renewal'])
    .where('id', ...among(orderIds))
type PurchaseRow = Awaited<ReturnType<ReturnType<typeof purchasesOf>['execute']>>[number]

export const purchasesFrom = (rows: PurchaseRow[]): Map<string, Purchased> =>
  new Map(
    rows.map(
      ({ id, order_code: orderCode, amount_cents: paidCents, created_at: at, paid_with: by, auto_renewal: byUs }) => [
        id,
        { orderCode, paidCents, paidAt: fromDate(at), byVoucher: by === 'voucher', byUs },
      ],
    ),
  )

/** A charge in progress is not affected. */
export async function saveSwitch(trx: Trx, serviceId: string, enabled: boolean, due: DueStep | null): Promise<void> {
  const columns = { enabled, ...columnsOf(due), ...notNotified, ...notFailed } satisfies Partial<
    Insertable<AutoRenewalTable>
  >
  await trx
    .insertInto('auto_renewals')
    .values({ service_id: serviceId, charge_order_id: null, ...columns })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(columns))
    .execute()
}

export const scheduleStep = (
  trx: Trx,
  serviceId: string,
  due: DueStep | null,
  rest: Pick<Columns, 'charge_order_id' | 'notified_cents' | 'notified_product_id'> = {},
): Promise<void> => patch(trx, serviceId, { ...columnsOf(due), ...rest })

export const saveFailure = (
  trx: Trx,
  serviceId: string,
  failed: { failure: Failure; failed_card: string | null },
): Promise<void> => patch(trx, serviceId, failed)

export const clearCharge = (trx: Trx, serviceId: string): Promise<void> =>
  patch(trx, serviceId, { charge_order_id: null })

async function patch(trx: Trx, serviceId: string, columns: Columns): Promise<void> {
  await trx.updateTable('auto_renewals').set(columns).where('service_id', '=', serviceId).execute()
}

export const lockIfFree = async (trx: Trx, serviceId: string): Promise<boolean> =>
  (await lockFree(trx, [serviceId])).length > 0

/**
 * Locks services until the transaction ends and returns the locked ones. Services that another transaction has locked
 * are skipped.
 */
export async function lockFree(trx: Trx, serviceIds: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('services')
    .select('id')
    .where('id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

export async function nextDue(db: Db): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('auto_renewals')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ? fromDate(row.due_at) : null
}

/**
 * Counts of plans by product. `notified`: the product in the customers' notices; `told`: the number of customers whose
 * notice named an amount.
 */
type RenewingPlans = { product: string; next: string | null; notified: string | null; renewing: number; told: number }
export type RenewalCounts = Map<string, { renewing: number; told: number }>

/** Reads every active auto-renewal, so only use this for staff requests, not for a page that is often viewed. */
export async function listRenewing(db: Db | Trx): Promise<RenewingPlans[]> {
  const { rows } = await sql<RenewingPlans>`
    select product_id as product, next_product_id as next, notified_product_id as notified,
      count(*)::int as renewing, count(notified_cents)::int as told
    from auto_renewals
      join schedules on schedules.service_id = auto_renewals.service_id
      join services on services.id = auto_renewals.service_id
      join products on products.unique_id = schedules.product_id
    where enabled and released_at is null
    group by 1, 2, 3`.execute(db)
  return rows
}

/**
 * `told`: the number of customers whose notice named the price, which is then binding.
 * @param nextOf the successor of a plan, to evaluate a change of the catalogue
 */
export function countOnto(
  plans: readonly RenewingPlans[],
  nextOf = ({ next }: RenewingPlans): string | null => next,
): RenewalCounts {
  const counts: RenewalCounts = new Map()
  for (const plan of plans) {
    const product = plan.notified ?? nextOf(plan) ?? plan.product
    const { renewing = 0, told = 0 } = counts.get(product) ?? {}
    counts.set(product, { renewing: renewing + plan.renewing, told: told + plan.told })
  }
  return counts
}

export const countRenewals = async (db: Db): Promise<RenewalCounts> => countOnto(await listRenewing(db))

export async function deleteAutoRenewals(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length > 0) await trx.deleteFrom('auto_renewals').where('service_id', 'in', serviceIds).execute()
}
