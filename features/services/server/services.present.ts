import { formatNational } from '#kit/contract/phone.ts'
import { fromDate } from '#kit/server/clock.ts'
import { findProducts, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { PortingRequestView, Schedule, Service } from '../services.contract.ts'
import type { ServicesDeps } from './services.deps.ts'
import { findQueuedPlans } from './queued-plans.store.ts'
import { listServicesOf, type ListedService } from './services.store.ts'

/** A customer's services by their uuid, oldest first. It asks five times, however many there are. */
export async function presentServices(
  { db, clock, portingOf, renewingOf }: ServicesDeps,
  userId: string,
): Promise<Record<string, Service>> {
  const rows = await listServicesOf(db, userId)
  if (rows.length === 0) return {}
  const products = await findProducts(db, [...new Set(rows.map((row) => row.product_id))])
  const ids = rows.map((row) => row.id)
  const ports = await portingOf(ids)
  const queued = await findQueuedPlans(db, ids)
  const renewing = await renewingOf(ids)
  const now = clock.now()
  const partsOf = (row: ListedService): Parts => {
    const product = products.get(row.product_id)
    if (!product) throw new Error(`schedule ${row.short_id} has no product`)
    return { product, port: ports.get(row.id) ?? null, next: queued.get(row.id), renews: renewing.has(row.id) }
  }
  return Object.fromEntries(rows.map((row) => [row.id, presentService(row, partsOf(row), now)]))
}

const completed = 3

/** What is shown of a service and stands in other tables. */
type Parts = {
  product: ProductRow
  port: PortingRequestView | null
  /** The plan that is paid for and waits. */
  next: { title: string; length_days: number; starts_at: Date } | undefined
  renews: boolean
}

function presentService(row: ListedService, parts: Parts, now: Temporal.Instant): Service {
  const { port } = parts
  // The transfer was read a moment after the service: what it has brought is the number, even if the row is older.
  const msisdn = port?.status === completed ? port.msisdn : row.msisdn
  return {
    uuid: row.id,
    msisdn,
    phone_number: formatNational(msisdn),
    plan_short_id: row.short_id,
    is_expired: Temporal.Instant.compare(fromDate(row.expires_at), now) <= 0,
    expiry_date: row.expires_at.toISOString(),
    porting_request: port,
    schedules: { [row.short_id]: presentSchedule(row, parts) },
  }
}

const presentSchedule = (row: ListedService, { product, next, renews }: Parts): Schedule => ({
  short_id: row.short_id,
  unique_id: row.schedule_id,
  auto_recharge_enabled: renews,
  product: {
    title: product.title,
    length: product.length_days,
    colour: product.colour,
    unique_id: product.unique_id,
    next_product_unique_id: product.next_product_id,
  },
  next_plan: next ? { title: next.title, length: next.length_days, starts_on: next.starts_at.toISOString() } : null,
  service: row.id,
})
