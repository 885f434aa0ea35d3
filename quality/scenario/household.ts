import type { Service } from '#features/services/services.contract.ts'
import type { DemoMessage } from '#demo/mailbox.ts'
import { type Customer, type CustomerService, makeCustomer } from '#quality/support/customer.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import type { World } from '#quality/support/world.ts'

export type Name = 'monthly' | 'quarterly' | 'weekly' | 'yearly'

export type Snapshot = { at: Temporal.Instant; services: Map<string, Service> }

export type Household = {
  world: World
  customer: Customer
  numbers: Record<Name, CustomerService>
  snapshots: Snapshot[]
  messages: Map<string, DemoMessage>
}

/** Creates a customer who pays by card for all numbers but the transferred one, which has a yearly plan paid with a voucher. */
export async function makeHousehold(world: World): Promise<Household> {
  const customer = await makeCustomer(world, { card: true, plan: 'plan-30-5gb' })
  const [monthly] = customer.services
  if (!monthly) throw new Error('a service was asked for')
  const numbers = {
    monthly,
    quarterly: await addNumber(world, customer, { plan: 'plan-90-25gb' }),
    weekly: await addNumber(world, customer, { plan: 'plan-7-500mb' }),
    yearly: await addNumber(world, customer, {
      plan: 'plan-365-25gb',
      voucher: await world.newVoucher('plan-365-25gb'),
      port: portForm(await newPortableNumber(world)),
    }),
  }
  return { world, customer, numbers, snapshots: [], messages: new Map() }
}

async function addNumber(
  world: World,
  { visitor, email, password }: Customer,
  wishes: Pick<Parameters<typeof activate>[1] & object, 'plan' | 'voucher' | 'port'>,
): Promise<CustomerService> {
  const knownUuids = new Set((await readServices(visitor)).map(({ uuid }) => uuid))
  const { orderCode, sim } = await activate({ ...world, visitor: () => visitor }, { email, password, ...wishes })
  const made = (await readServices(visitor)).find(({ uuid }) => !knownUuids.has(uuid))
  if (!made) throw new Error(`${orderCode} has brought no number`)
  return { id: made.uuid, msisdn: made.msisdn, shortId: made.plan_short_id, orderCode, sim }
}

const readServices = async (visitor: Customer['visitor']): Promise<Service[]> =>
  Object.values((await visitor.get('/api/services/')).body)

/** Returns one of the household's numbers with its current short id, which changes with each plan. */
export async function readNumber({ customer, numbers }: Household, name: Name): Promise<CustomerService> {
  const service = numbers[name]
  const shown = (await readServices(customer.visitor)).find(({ uuid }) => uuid === service.id)
  return { ...service, shortId: shown?.plan_short_id ?? service.shortId }
}

export async function look(house: Household): Promise<void> {
  const { world, customer, snapshots, messages } = house
  const services = await readServices(customer.visitor)
  snapshots.push({
    at: world.deps.clock.now(),
    services: new Map(services.map((service) => [service.phone_number, service])),
  })
  const sent = [world.mailTo(customer.email), ...services.map(({ msisdn }) => world.smsTo(msisdn))]
  for (const message of (await Promise.all(sent)).flat()) messages.set(message.id, message)
}
