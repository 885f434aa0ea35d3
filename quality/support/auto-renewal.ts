import type { Schedule, Service } from '#features/services/services.contract.ts'
import { recordEndedCharges } from '#features/auto-renewal/server/ended-charges.ts'
import { doDueSteps } from '#features/auto-renewal/server/steps.ts'
import { type Customer, type CustomersService, makeCustomer } from './customer.ts'
import type { Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const zone = 'Pacific/Auckland'

/** Hours of a plan's last day at which the card is charged. They are what tests expect and are not read from the product. */
export const chargeHours = [9, 15, 21] as const

export type Renewing = { customer: Customer; service: CustomersService; expiry: Temporal.ZonedDateTime }

/** The parts of a renewing customer that are known even if the product is out of a test's reach. */
export type Outsider = {
  customer: { visitor: Visitor; email: string }
  service: Pick<CustomersService, 'id' | 'shortId'>
  expiry: Temporal.ZonedDateTime
}

export async function makeRenewing(
  world: World,
  { plan = 'plan-7-500mb', enabled = true }: { plan?: string; enabled?: boolean } = {},
): Promise<Renewing> {
  const customer = await makeCustomer(world, { card: true, plan })
  const [service] = customer.services
  if (!service) throw new Error('no service')
  const { expiry_date } = await serviceOf({ customer })
  const renewing = { customer, service, expiry: Temporal.Instant.from(expiry_date).toZonedDateTimeISO(zone) }
  if (enabled) await switchAutoRenewal(renewing, 'PUT')
  return renewing
}

/** Presses the button: `PUT` switches on, `DELETE` switches off. @throws when it is refused */
export async function switchAutoRenewal(
  { customer: { visitor }, service }: Pick<Outsider, 'customer' | 'service'>,
  method: 'PUT' | 'DELETE',
): Promise<void> {
  const path = `/api/services/auto_renew/${service.id}/${service.shortId}/`
  const { status, body } = await visitor.send(method, path, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
  if (status !== 200) throw new Error(`${method} answered ${status}: ${JSON.stringify(body)}`)
}

export async function serviceOf({ customer }: Pick<Outsider, 'customer'>): Promise<Service> {
  const [service] = Object.values((await customer.visitor.get('/api/services/')).body as Record<string, Service>)
  if (!service) throw new Error('no service is listed')
  return service
}

export async function scheduleOf(renewing: Outsider): Promise<Schedule> {
  const [schedule] = Object.values((await serviceOf(renewing)).schedules)
  if (!schedule) throw new Error('no schedule is listed')
  return schedule
}

/** The orders that auto-renewal has placed, oldest first. */
export const chargesOf = ({ db }: World, { service }: Outsider) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('auto_renewal', '=', true)
    .orderBy('created_at')
    .execute()

/** Mails to the customer, oldest first. `at` is the local time to the minute. */
export async function mailsOf(
  world: Pick<World, 'mailTo'>,
  { customer }: Outsider,
): Promise<{ subject: string; text: string; links: string[]; at: string }[]> {
  const mails = (await world.mailTo(customer.email)).toReversed()
  return mails.map(({ subject, text, links, sent_at }) => ({
    subject,
    text,
    links,
    at: minuteOf(Temporal.Instant.from(sent_at).toZonedDateTimeISO(zone)),
  }))
}

export const failuresOf = async (world: Pick<World, 'mailTo'>, renewing: Outsider) =>
  (await mailsOf(world, renewing)).filter(({ text }) => text.includes('We could not renew'))

export const minuteOf = (at: Temporal.ZonedDateTime): string => at.toPlainDateTime().toString().slice(0, 16)

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const dayInWords = (at: Temporal.ZonedDateTime): string =>
  `${weekdays[at.dayOfWeek - 1]} ${at.day} ${months[at.month - 1]}`

export const lastDay = ({ expiry }: Outsider, hour: number): Temporal.ZonedDateTime =>
  expiry.subtract({ days: 1 }).withPlainTime({ hour })

export const chargeTimesOf = (renewing: Outsider): [Temporal.ZonedDateTime, ...Temporal.ZonedDateTime[]] => {
  const [first, ...more] = chargeHours
  return [lastDay(renewing, first), ...more.map((hour) => lastDay(renewing, hour))]
}

/** Moves the demo's time forward to an instant. Everything that was due by then has happened afterwards. */
export async function advanceTo({ visitor }: Pick<World, 'visitor'>, at: Temporal.ZonedDateTime): Promise<void> {
  const passerBy = visitor()
  const { now } = (await passerBy.get('/demo/api/fixtures/')).body
  const seconds = Math.ceil(at.toInstant().since(Temporal.Instant.from(now)).total('seconds'))
  const { status, body } = await passerBy.post('/demo/api/clock/', { advance: `PT${Math.max(1, seconds)}S` })
  if (status !== 200) throw new Error(`the clock answered ${status}: ${JSON.stringify(body)}`)
}

/** Stops all auto-renewals, so that the next test's failures hit its own customer. */
export async function stopAutoRenewals({ db }: World): Promise<void> {
  await db.updateTable('auto_renewals').set({ enabled: false, step: null, due_at: null }).execute()
}

/** Does a whole round: first it records how charges ended, then it does what is due. Returns false when one had a problem. */
export async function runAutoRenewal(deps: World['deps'], now: Temporal.Instant): Promise<boolean> {
  const areRecorded = await recordEndedCharges(deps, now)
  return (await doDueSteps(deps, now)) && areRecorded
}
