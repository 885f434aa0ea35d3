import type { Service } from '#features/services/services.contract.ts'
import type { KillTestWorld } from './kill-test-world.ts'
import { registerCustomer } from './register-customer.ts'

/** Creates a second customer, who has one service and has never cancelled a plan. */
export async function createOtherCustomer(world: KillTestWorld) {
  const { visitor, email } = await registerCustomer(world)
  const [first] = Object.values((await visitor.get('/api/services/')).body as Record<string, Service>)
  if (!first) throw new Error('a customer who has activated a SIM has a service')
  return { visitor, email, service: { id: first.uuid, shortId: first.plan_short_id } }
}

/** Returns what the gateway and the network have recorded about an order. This works even while Fantail is not running. */
export function getProviderRecords(world: KillTestWorld, orderCode: string) {
  const { gateway, network } = world.ledgers()
  return {
    gateway: gateway
      .filter(({ reference }) => reference.startsWith(`${orderCode}-`))
      .map(({ captured, refunded }) => ({ captured, refunded })),
    network: network
      .filter(({ external_id }) => external_id.startsWith(`${orderCode}-`))
      .map(({ action, state }) => `${action} ${state}`),
  }
}

export const countEmails = async (
  world: KillTestWorld,
  { email, orderCode, subject }: { email: string; orderCode: string; subject: RegExp },
): Promise<number> =>
  (await world.mailTo(email)).filter((mail) => mail.text.includes(orderCode) && subject.test(mail.subject)).length
