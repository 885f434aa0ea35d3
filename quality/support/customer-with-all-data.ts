import { makeCustomer, type Subscriber } from './customer.ts'
import { setAutoRenewal } from './auto-renewal.ts'
import { portForm } from './activation-journey.ts'
import { renew } from './purchases.ts'
import { newPortableNumber } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import { newEmail, type World } from './world.ts'

export type CustomerWithAllData = Subscriber & { ported: string; second: Subscriber['service']; fullName: string }

/**
 * Returns a random name without the letters a to f, which are also hexadecimal digits. The tests search for the name, so it must not turn
 * up by chance in a number or a hash.
 */
const aName = (): string =>
  `Q${Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => 'ghijklmnopqrstuvwxyz'[byte % 20]).join('')}`

export async function createCustomerWithAllData(world: World): Promise<CustomerWithAllData> {
  const [first_name, last_name] = [aName(), aName()]
  const email = newEmail().replace('@', `.${last_name.toLowerCase()}@`)
  const customer = await makeCustomer(world, { services: 2, card: true, first_name, last_name, email })
  const [service, second] = customer.services
  if (!service || !second) throw new Error('two services were asked for')
  await setAutoRenewal({ customer, service }, 'PUT')
  const fullName = `${first_name} ${last_name}`
  const renewalResponse = await renew(world, customer.visitor, second, { holder: fullName, body: { starts: 'at_end' } })
  if (renewalResponse.status !== 200)
    throw new Error(`renewing answered ${renewalResponse.status}: ${JSON.stringify(renewalResponse.body)}`)
  const portableNumber = await newPortableNumber(world)
  await customer.visitor.post(`/api/services/port/${service.id}/`, portForm(portableNumber))
  await world.advance('PT5H')
  await pollUntil(() =>
    world.db
      .selectFrom('services')
      .select('id')
      .where('id', '=', service.id)
      .where('msisdn', '=', portableNumber)
      .executeTakeFirst(),
  )
  return { ...customer, service, second, ported: portableNumber, fullName }
}
