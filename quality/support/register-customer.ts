import { activate, type Place, password } from './activation-journey.ts'
import { logInAs } from './customer.ts'
import { pollUntil } from './poll-until.ts'
import { newEmail, type Visitor } from './visitor.ts'
import type { World } from './world.ts'

/**
 * Creates a signed-in customer with a confirmed address in the same way as a real one: by activating a SIM with a voucher, following the
 * emailed link, and logging in. This works even if Fantail's database is not accessible. With a `plan`, the customer pays by card instead,
 * and the card is saved.
 */
export async function registerCustomer(
  place: Place & Pick<World, 'newVoucher' | 'mailTo'>,
  { plan }: { plan?: string } = {},
): Promise<{ visitor: Visitor; email: string }> {
  const email = newEmail()
  const { visitor } = await activate(place, { email, ...(plan ? { plan } : { voucher: await place.newVoucher() }) })
  const token = await pollUntil(async () => {
    const links = (await place.mailTo(email)).flatMap((message) => message.links)
    return links.map((link) => /\/verify\/\?token=([\w-]+)/.exec(link)?.[1]).find(Boolean)
  })
  const { status } = await visitor.post('/api/account/verify_email/', { token })
  if (status !== 200) throw new Error(`verify_email answered ${status}`)
  return { visitor: await logInAs(place, { email, password }), email }
}
