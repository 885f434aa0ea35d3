import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatNational } from '#kit/contract/phone.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import { lastDayKept } from '#kit/server/plan-period.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { OutlookView, PortingRequestView, Schedule, Service } from '../services.contract.ts'
import type { KnownServices, PlanOfService, ServicesDeps } from './services.deps.ts'
import type { ListedService, ServicesPart } from './services.store.ts'

/** Services that are read and presented per part. Between the parts of a long list, other requests can run. */
const servicesPerPart = 100

export const firstPart: ServicesPart = { from: '', limit: String(servicesPerPart + 1), named: '' }

export async function presentServices(
  deps: ServicesDeps,
  userId: string,
  first: KnownServices | null = null,
): Promise<Record<string, Service>> {
  const all = presentKnown(deps, first ?? (await deps.readServices.of(deps.db, userId, firstPart)))
  for (let from = Object.keys(all)[servicesPerPart]; from !== undefined;) {
    // The embedded database responds in the same turn of the event loop, so other requests need an explicit turn.
    await nextTurn()
    const part = await presentServicesPart(deps, { ...firstPart, userId, from })
    Object.assign(all, part)
    from = Object.keys(part)[servicesPerPart]
  }
  return all
}

export const presentOwnService = async (
  deps: ServicesDeps,
  { userId, id }: { userId: string; id: string },
): Promise<Service | undefined> => (await presentServicesPart(deps, { userId, from: '', limit: '0', named: id }))[id]

export const presentServicesPart = async (
  deps: ServicesDeps,
  { userId, ...part }: ServicesPart & { userId: string },
): Promise<Record<string, Service>> => presentKnown(deps, await deps.readServices.of(deps.db, userId, part))

export function presentKnown(deps: ServicesDeps, known: KnownServices): Record<string, Service> {
  const { services: rows } = known
  if (rows.length === 0) return {}
  const plans = plansOf(known)
  const now = deps.clock.now()
  const ports = known.portsAt(now)
  const outlooks = known.outlooksOf(plans, now)
  const present = (row: ListedService, at: number): Service => {
    const [plan, outlook] = [plans[at], outlooks.get(row.id)]
    if (!plan || !outlook) throw new Error(`service ${row.id} has no outlook`)
    const kept = numberKept(deps, plan.expiresAt)
    return presentService(row, { plan, port: ports.get(row.id) ?? null, kept, ...outlook }, now)
  }
  return Object.fromEntries(rows.map((row, at) => [row.id, present(row, at)]))
}

function plansOf({ services, waiting, products }: KnownServices): PlanOfService[] {
  const productOf = (id: string): ProductRow => {
    const product = products.get(id)
    if (!product) throw new Error(`there is no product ${id}`)
    return product
  }
  return services.map((row) => {
    const queued = waiting.get(row.id)
    return {
      serviceId: row.id,
      product: productOf(row.product_id),
      expiresAt: fromDate(row.expires_at),
      queued: queued ? { ...queued, product: productOf(queued.productId) } : null,
    }
  })
}

type Parts = {
  plan: PlanOfService
  port: PortingRequestView | null
  kept: Service['number_kept']
  view: OutlookView
  isRenewing: boolean
}

const numberKept = (
  { market, numberKeptDays: days }: ServicesDeps,
  expiresAt: Temporal.Instant,
): Service['number_kept'] => ({ days, last_day: lastDayKept(expiresAt, market.zone, days).toString() })

function presentService(row: ListedService, parts: Parts, now: Temporal.Instant): Service {
  const { port } = parts
  const { msisdn } = row
  return {
    uuid: row.id,
    msisdn,
    phone_number: formatNational(msisdn),
    name: row.name,
    plan_short_id: row.short_id,
    is_expired: Temporal.Instant.compare(fromDate(row.expires_at), now) <= 0,
    expiry_date: row.expires_at.toISOString(),
    number_kept: parts.kept,
    porting_request: port,
    schedules: { [row.short_id]: presentSchedule(row, parts) },
    outlook: parts.view,
  }
}

const presentSchedule = (row: ListedService, { plan: { product, queued }, isRenewing }: Parts): Schedule => ({
  short_id: row.short_id,
  unique_id: row.schedule_id,
  auto_recharge_enabled: isRenewing,
  starts_on: row.starts_on,
  product: {
    title: product.title,
    length: product.length_days,
    data_gb: product.data_gb,
    colour: product.colour,
    unique_id: product.unique_id,
    next_product_unique_id: product.next_product_id,
  },
  next_plan: queued && {
    title: queued.product.title,
    length: queued.lengthDays,
    starts_on: toDate(queued.startsAt).toISOString(),
  },
  service: row.id,
})
