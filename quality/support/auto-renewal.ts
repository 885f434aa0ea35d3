import type { Schedule, Service } from '#features/services/services.contract.ts'
import { recordChargeOutcomes } from '#features/auto-renewal/server/ended-charges.ts'
import { runDueSteps } from '#features/auto-renewal/server/steps.ts'
import { type Customer, type CustomerService, makeCustomer } from './customer.ts'
import type { Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const zone = 'Pacific/Auckland'

/** The hours on a plan's last day at which the card is charged. The tests state them separately instead of reading them from Fantail. */
export const chargeHours = [9, 15, 21] as const

export type RenewingCustomer = { customer: Customer; service: CustomerService; expiry: Temporal.ZonedDateTime }

/** A customer with auto-renewal, limited to data that is available without access to Fantail's internals. */
export type AutoRenewalCustomer = {
  customer: { visitor: Visitor; email: string }
  service: Pick<CustomerService, 'id' | 'shortId'>
  expiry: Temporal.ZonedDateTime
}

export async function createRenewingCustomer(
  world: World,
  { plan = 'plan-7-500mb', enabled = true }: { plan?: string; enabled?: boolean } = {},
): Promise<RenewingCustomer> {
  const customer = await makeCustomer(world, { card: true, plan })
  const [service] = customer.services
  if (!service) throw new Error('no service')
  const { expiry_date } = await readCustomerService({ customer })
  const renewingCustomer = { customer, service, expiry: Temporal.Instant.from(expiry_date).toZonedDateTimeISO(zone) }
  if (enabled) await setAutoRenewal(renewingCustomer, 'PUT')
  return renewingCustomer
}

/** Turns auto-renewal on (`PUT`) or off (`DELETE`). @throws if Fantail rejects the change */
export async function setAutoRenewal(
  { customer: { visitor }, service }: Pick<AutoRenewalCustomer, 'customer' | 'service'>,
  method: 'PUT' | 'DELETE',
): Promise<void> {
  const path = `/api/services/auto_renew/${service.id}/${service.shortId}/`
  const { status, body } = await visitor.send(method, path, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })
  if (status !== 200) throw new Error(`${method} answered ${status}: ${JSON.stringify(body)}`)
}

export async function readCustomerService({ customer }: Pick<AutoRenewalCustomer, 'customer'>): Promise<Service> {
  const [service] = Object.values((await customer.visitor.get('/api/services/')).body as Record<string, Service>)
  if (!service) throw new Error('no service is listed')
  return service
}

export async function readCustomerSchedule(renewing: AutoRenewalCustomer): Promise<Schedule> {
  const [schedule] = Object.values((await readCustomerService(renewing)).schedules)
  if (!schedule) throw new Error('no schedule is listed')
  return schedule
}

/** Returns the orders placed by auto-renewal, oldest first. */
export const readCharges = ({ db }: World, { service }: AutoRenewalCustomer) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('auto_renewal', '=', true)
    .orderBy('created_at')
    .execute()

/** Returns the emails sent to the customer, oldest first. `at` is the local time, to the minute. */
export async function readEmails(
  world: Pick<World, 'mailTo'>,
  { customer }: AutoRenewalCustomer,
): Promise<{ subject: string; text: string; links: string[]; at: string }[]> {
  const mails = (await world.mailTo(customer.email)).toReversed()
  return mails.map(({ subject, text, links, sent_at }) => ({
    subject,
    text,
    links,
    at: formatToMinute(Temporal.Instant.from(sent_at).toZonedDateTimeISO(zone)),
  }))
}

export const readFailureEmails = async (world: Pick<World, 'mailTo'>, renewing: AutoRenewalCustomer) =>
  (await readEmails(world, renewing)).filter(({ text }) => text.includes('We could not renew'))

export const formatToMinute = (at: Temporal.ZonedDateTime): string => at.toPlainDateTime().toString().slice(0, 16)

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const formatWeekdayAndDate = (at: Temporal.ZonedDateTime): string =>
  `${weekdays[at.dayOfWeek - 1]} ${at.day} ${months[at.month - 1]}`

export const getLastDayAtHour = ({ expiry }: AutoRenewalCustomer, hour: number): Temporal.ZonedDateTime =>
  expiry.subtract({ days: 1 }).withPlainTime({ hour })

export const computeChargeTimes = (
  renewing: AutoRenewalCustomer,
): [Temporal.ZonedDateTime, ...Temporal.ZonedDateTime[]] => {
  const [first, ...more] = chargeHours
  return [getLastDayAtHour(renewing, first), ...more.map((hour) => getLastDayAtHour(renewing, hour))]
}

/** Moves the demo's clock forward to the given time. Everything due by then has been done when this returns. */
export async function advanceClockTo({ visitor }: Pick<World, 'visitor'>, at: Temporal.ZonedDateTime): Promise<void> {
  const clockClient = visitor()
  const { now } = (await clockClient.get('/demo/api/fixtures/')).body
  const seconds = Math.ceil(at.toInstant().since(Temporal.Instant.from(now)).total('seconds'))
  const { status, body } = await clockClient.post('/demo/api/clock/', { advance: `PT${Math.max(1, seconds)}S` })
  if (status !== 200) throw new Error(`the clock answered ${status}: ${JSON.stringify(body)}`)
}

/** Turns off all auto-renewals, so that the failures caused by the next test affect only its own customer. */
export async function stopAutoRenewals({ db }: World): Promise<void> {
  await db.updateTable('auto_renewals').set({ enabled: false, step: null, due_at: null }).execute()
}

/** Runs auto-renewal once: records how charges have turned out, then runs all steps that are due. Returns false if any step fails. */
export async function runAutoRenewal(deps: World['deps'], now: Temporal.Instant): Promise<boolean> {
  const areChargesRecorded = await recordChargeOutcomes(deps, now)
  return (await runDueSteps(deps, now)) && areChargesRecorded
}
