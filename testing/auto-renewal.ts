import type { Service } from '#features/services/services.contract.ts'
import { type Customer, makeCustomer } from './customer.ts'
import type { World } from './world.ts'

const zone = 'Pacific/Auckland'

/** A customer whose plan renews by itself, with the instants that count for it. */
export type Renewing = { customer: Customer; serviceId: string; iccid: string; expiry: Temporal.ZonedDateTime }

/** A customer with one service, paid for by a card that is saved. Auto-renewal is on unless said otherwise. */
export async function makeRenewing(world: World, { plan = 'plan-7-500mb', enabled = true }: { plan?: string; enabled?: boolean } = {}): Promise<Renewing> {
  const customer = await makeCustomer(world, { card: true, plan })
  const [service] = customer.services
  if (!service) throw new Error('no service')
  const expiry = Temporal.Instant.from((await serviceOf(customer)).expiry_date).toZonedDateTimeISO(zone)
  const renewing = { customer, serviceId: service.id, iccid: service.sim.iccid, expiry }
  if (enabled) await switchAutoRenewal(renewing, 'PUT')
  return renewing
}

/** Presses the button: `PUT` on, `DELETE` off. @throws when it is refused */
export async function switchAutoRenewal({ customer: { visitor, services } }: Pick<Renewing, 'customer'>, method: 'PUT' | 'DELETE'): Promise<void> {
  const [service] = services
  const path = `/api/services/auto_renew/${service?.id}/${service?.shortId}/`
  const { status, body } = await visitor.send(method, path, { headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' } })
  if (status !== 200) throw new Error(`${method} answered ${status}: ${JSON.stringify(body)}`)
}

export async function serviceOf({ visitor }: Customer): Promise<Service> {
  const [service] = Object.values((await visitor.get('/api/services/')).body as Record<string, Service>)
  if (!service) throw new Error('no service is listed')
  return service
}

/** Moves the demo's time forward to an instant; everything due by then has happened. */
export async function advanceTo(world: World, at: Temporal.ZonedDateTime): Promise<void> {
  const seconds = Math.ceil(at.toInstant().since(world.deps.clock.now()).total('seconds'))
  await world.advance(`PT${Math.max(1, seconds)}S`)
}

/** Nobody's plan renews by itself any more: the next test's failures are for its own customer. */
export async function stopAutoRenewals({ db }: World): Promise<void> {
  await db.updateTable('schedules').set({ auto_recharge_enabled: false, auto_step: null, auto_due_at: null }).execute()
}
