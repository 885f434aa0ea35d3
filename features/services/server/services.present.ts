import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatNational } from '#kit/contract/phone.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import { getLastReservedDay } from '#kit/server/plan-period.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { PlanStatusView, PortingRequestView, Schedule, Service } from '../services.contract.ts'
import type { ServiceRows, ServicePlan, ServicesDeps } from './services.deps.ts'
import type { ListedService, ServicesPart } from './services.store.ts'

/** How many services are read and presented at a time. Other requests can run between the parts of a long list. */
const servicesPerRead = 100

export const firstServicesPart: ServicesPart = { from: '', limit: String(servicesPerRead + 1), named: '' }

export async function presentServices(
  deps: ServicesDeps,
  userId: string,
  first: ServiceRows | null = null,
): Promise<Record<string, Service>> {
  const presentedServices = presentServiceRows(
    deps,
    first ?? (await deps.readServices.of(deps.db, userId, firstServicesPart)),
  )
  for (let from = Object.keys(presentedServices)[servicesPerRead]; from !== undefined;) {
    /*
     * Let other requests run. The embedded database responds within one turn of the event loop, so other requests would
     * otherwise wait until the whole list is read.
     */
    await nextTurn()
    const servicesPart = await presentServicesPart(deps, { ...firstServicesPart, userId, from })
    Object.assign(presentedServices, servicesPart)
    from = Object.keys(servicesPart)[servicesPerRead]
  }
  return presentedServices
}

export const presentOwnService = async (
  deps: ServicesDeps,
  { userId, id }: { userId: string; id: string },
): Promise<Service | undefined> => (await presentServicesPart(deps, { userId, from: '', limit: '0', named: id }))[id]

export const presentServicesPart = async (
  deps: ServicesDeps,
  { userId, ...part }: ServicesPart & { userId: string },
): Promise<Record<string, Service>> => presentServiceRows(deps, await deps.readServices.of(deps.db, userId, part))

export function presentServiceRows(deps: ServicesDeps, serviceRows: ServiceRows): Record<string, Service> {
  const { services: rows } = serviceRows
  if (rows.length === 0) return {}
  const plans = listServicePlans(serviceRows)
  const now = deps.clock.now()
  const ports = serviceRows.portsAt(now)
  const planStatuses = serviceRows.outlooksOf(plans, now)
  const presentRow = (row: ListedService, at: number): Service => {
    const [plan, outlook] = [plans[at], planStatuses.get(row.id)]
    if (!plan || !outlook) throw new Error(`service ${row.id} has no outlook`)
    const numberRetentionView = presentNumberRetention(deps, plan.expiresAt)
    return presentService(row, { plan, port: ports.get(row.id) ?? null, kept: numberRetentionView, ...outlook }, now)
  }
  return Object.fromEntries(rows.map((row, at) => [row.id, presentRow(row, at)]))
}

function listServicePlans({ services, waiting, products }: ServiceRows): ServicePlan[] {
  const requireProduct = (id: string): ProductRow => {
    const product = products.get(id)
    if (!product) throw new Error(`there is no product ${id}`)
    return product
  }
  return services.map((row) => {
    const queuedPlan = waiting.get(row.id)
    return {
      serviceId: row.id,
      product: requireProduct(row.product_id),
      expiresAt: fromDate(row.expires_at),
      queued: queuedPlan ? { ...queuedPlan, product: requireProduct(queuedPlan.productId) } : null,
    }
  })
}

type ServiceDetails = {
  plan: ServicePlan
  port: PortingRequestView | null
  kept: Service['number_kept']
  view: PlanStatusView
  isRenewing: boolean
}

const presentNumberRetention = (
  { market, numberKeptDays: days }: ServicesDeps,
  expiresAt: Temporal.Instant,
): Service['number_kept'] => ({ days, last_day: getLastReservedDay(expiresAt, market.zone, days).toString() })

function presentService(row: ListedService, parts: ServiceDetails, now: Temporal.Instant): Service {
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

const presentSchedule = (row: ListedService, { plan: { product, queued }, isRenewing }: ServiceDetails): Schedule => ({
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
