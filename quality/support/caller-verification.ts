import { pollUntil } from './poll-until.ts'
import type { Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const waitForCallerPin = (world: World, to: { msisdn: string } | { email: string }, but = ''): Promise<string> =>
  pollUntil(async () => {
    const sent = 'msisdn' in to ? await world.smsTo(to.msisdn) : await world.mailTo(to.email)
    const pins = sent.flatMap(({ text }) => /PIN[^\d]{1,8}(\d{6})\b/.exec(text)?.[1] ?? [])
    return pins[0] !== but && pins[0]
  })

export async function verifyCaller(
  world: World,
  staff: Visitor,
  customer: { id: string; email: string },
): Promise<void> {
  const at = `/api/desk/customers/${customer.id}/caller/`
  const previousPins = (await world.mailTo(customer.email)).flatMap(
    ({ text }) => /PIN[^\d]{1,8}(\d{6})\b/.exec(text)?.[1] ?? [],
  )
  const sent = await staff.post(`${at}pin/`, { way: 'mail' })
  if (sent.status !== 200) throw new Error(`sending a PIN answered ${sent.status}: ${JSON.stringify(sent.body)}`)
  const pin = await waitForCallerPin(world, customer, previousPins[0])
  const { status, body } = await staff.post(`${at}verify/`, { pin })
  if (status !== 200) throw new Error(`the PIN answered ${status}: ${JSON.stringify(body)}`)
}
