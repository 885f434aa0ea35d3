import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
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
  /**
   * Why the last charge failed. If `enabled` is true, the charge will be retried; otherwise auto-renewal has given up.
   */
  failure: AutoRenewalFailure | null
  failed_card: string | null
}

export type AutoRenewalFailure =
  | 'no-card'
  | 'card-expired'
  | 'no-funds'
  | 'refused'
  | 'unconfirmed'
  | 'network'
  | 'missed'
  | 'withdrawn'
export type AutoRenewal = Selectable<AutoRenewalTable>
type AutoRenewalColumns = Updateable<AutoRenewalTable>

const clearedNoticeColumns = { notified_cents: null, notified_product_id: null } satisfies AutoRenewalColumns
const clearedFailureColumns = { failure: null, failed_card: null } satisfies AutoRenewalColumns

const getStepColumns = (nextStep: DueStep | null) =>
  ({
    step: nextStep?.step ?? null,
    due_at: nextStep && toDate(nextStep.dueAt),
    attempts: nextStep?.attempts ?? 0,
  }) satisfies AutoRenewalColumns

/**
 * Returns `undefined` if auto-renewal has never been on. Call this with the service locked, because every change to the
 * row locks the service first.
 */
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

export const autoRenewalsQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(autoRenewalsQuery(db, serviceIds), { due_at: true })

const autoRenewalsQuery = (db: Db | Trx, serviceIds: Ids) =>
  db
    .selectFrom('auto_renewals')
    .selectAll()
    .where('service_id', ...inIds(serviceIds))

export const notifiedProductsQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(
    db
      .selectFrom('products')
      .selectAll()
      .where('unique_id', 'in', (from) =>
        from
          .selectFrom('auto_renewals')
          /*
           * `coalesce` makes the planner look up just these services. Without it, the planner would read the
           * row of every notified customer, which can be thousands in a night.
           */
          .select(sql<string>`coalesce(notified_product_id, '')`.as('id'))
          .where('service_id', ...inIds(serviceIds)),
      ),
    {},
  )

export async function findRenewingServices(db: Db, serviceIds: string[]): Promise<Set<string>> {
  if (serviceIds.length === 0) return new Set()
  const rows = await renewingServicesQuery(db, serviceIds).execute()
  return new Set(rows.map((row) => row.service_id))
}

export const renewingServicesQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(renewingServicesQuery(db, serviceIds), {})

const renewingServicesQuery = (db: Db, serviceIds: Ids) =>
  db
    .selectFrom('auto_renewals')
    .select('service_id')
    .where('service_id', ...inIds(serviceIds))
    .where('enabled', '=', true)

/** The paid order for a queued plan. `isPlacedByAutoRenewal` is true if auto-renewal placed the order. */
export type QueuedPurchase = {
  orderCode: string
  paidCents: number
  paidAt: Temporal.Instant
  byVoucher: boolean
  isPlacedByAutoRenewal: boolean
}

export const purchasesQueryPart = (db: Db, orderIds: Ids) =>
  queryPart(purchasesQuery(db, orderIds), { created_at: true })

const purchasesQuery = (db: Db, orderIds: Ids) =>
  db
    .selectFrom('orders')
    .select(['id', 'order_code', 'amount_cents', 'created_at', 'paid_with', 'auto_renewal'])
    .where('id', ...inIds(orderIds))
type PurchaseRow = Awaited<ReturnType<ReturnType<typeof purchasesQuery>['execute']>>[number]

export const mapPurchasesByOrder = (rows: PurchaseRow[]): Map<string, QueuedPurchase> =>
  new Map(
    rows.map(
      ({
        id,
        order_code: orderCode,
        amount_cents: paidCents,
        created_at: at,
        paid_with: by,
        auto_renewal: isPlacedByAutoRenewal,
      }) => [id, { orderCode, paidCents, paidAt: fromDate(at), byVoucher: by === 'voucher', isPlacedByAutoRenewal }],
    ),
  )

/** Saves whether auto-renewal is on. Does not affect a charge in progress. */
export async function saveAutoRenewalSetting(
  trx: Trx,
  serviceId: string,
  enabled: boolean,
  nextStep: DueStep | null,
): Promise<void> {
  const columns = {
    enabled,
    ...getStepColumns(nextStep),
    ...clearedNoticeColumns,
    ...clearedFailureColumns,
  } satisfies Partial<Insertable<AutoRenewalTable>>
  await trx
    .insertInto('auto_renewals')
    .values({ service_id: serviceId, charge_order_id: null, ...columns })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(columns))
    .execute()
}

export const scheduleStep = (
  trx: Trx,
  serviceId: string,
  nextStep: DueStep | null,
  otherColumns: Pick<AutoRenewalColumns, 'charge_order_id' | 'notified_cents' | 'notified_product_id'> = {},
): Promise<void> => updateAutoRenewal(trx, serviceId, { ...getStepColumns(nextStep), ...otherColumns })

export const saveFailure = (
  trx: Trx,
  serviceId: string,
  failureColumns: { failure: AutoRenewalFailure; failed_card: string | null },
): Promise<void> => updateAutoRenewal(trx, serviceId, failureColumns)

export const clearCharge = (trx: Trx, serviceId: string): Promise<void> =>
  updateAutoRenewal(trx, serviceId, { charge_order_id: null })

async function updateAutoRenewal(trx: Trx, serviceId: string, columns: AutoRenewalColumns): Promise<void> {
  await trx.updateTable('auto_renewals').set(columns).where('service_id', '=', serviceId).execute()
}

export const tryLockService = async (trx: Trx, serviceId: string): Promise<boolean> =>
  (await lockAvailableServices(trx, [serviceId])).length > 0

/**
 * Locks services until the transaction ends and returns the ids of those it has locked. Skips services that another
 * transaction has locked.
 */
export async function lockAvailableServices(trx: Trx, serviceIds: readonly string[]): Promise<string[]> {
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

export async function findNextStepDueAt(db: Db): Promise<Temporal.Instant | null> {
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
 * How many plans will renew, grouped by product. `notified` is the product named in the customers' notices. `told` is
 * how many customers have received a notice that states the amount.
 */
type RenewalCountRow = { product: string; next: string | null; notified: string | null; renewing: number; told: number }
export type RenewalCounts = Map<string, { renewing: number; told: number }>

/** Reads every active auto-renewal. Use it for staff requests only, not for pages that are viewed often. */
export async function listRenewalCounts(db: Db | Trx): Promise<RenewalCountRow[]> {
  const { rows } = await sql<RenewalCountRow>`
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
 * Adds up the counts by the product that the plans will renew as. `told` is how many customers have received a notice,
 * which makes the price in it binding.
 * @param successorOf returns a plan's successor product; callers pass their own function to evaluate a planned change
 * to the catalogue
 */
export function sumByProduct(
  plans: readonly RenewalCountRow[],
  successorOf = ({ next }: RenewalCountRow): string | null => next,
): RenewalCounts {
  const counts: RenewalCounts = new Map()
  for (const plan of plans) {
    const product = plan.notified ?? successorOf(plan) ?? plan.product
    const { renewing = 0, told = 0 } = counts.get(product) ?? {}
    counts.set(product, { renewing: renewing + plan.renewing, told: told + plan.told })
  }
  return counts
}

export const countRenewals = async (db: Db): Promise<RenewalCounts> => sumByProduct(await listRenewalCounts(db))

export async function deleteAutoRenewals(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length > 0) await trx.deleteFrom('auto_renewals').where('service_id', 'in', serviceIds).execute()
}
