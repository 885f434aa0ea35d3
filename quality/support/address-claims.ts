import { activate } from './activation-journey.ts'
import { pollUntil } from './poll-until.ts'
import { waitForVerifyTokens } from './verify-link.ts'
import { newEmail, type Visitor } from './visitor.ts'
import type { World } from './world.ts'

/** The passwords of two people who use the same email address. `own` belongs to the person who can read email sent to that address. */
export const claimantPasswords = { theirs: 'korimako of mallory 1', own: 'kereru of vera 2' }

export function createClaimActions(world: () => World) {
  /** Activates a SIM without signing in. The activation is paid with a voucher, so that no card is saved. */
  const claim = async (email: string, password: string) =>
    activate(world(), { email, password, voucher: await world().newVoucher() })

  return {
    claim,
    verify: (visitor: Visitor, token: string | undefined, typed: object = {}) =>
      visitor.post('/api/account/verify_email/', { token, ...typed }),

    /** Returns the numbers on a visitor's dashboard, or null if the visitor is not allowed to see one. */
    async numbersOf(visitor: Visitor): Promise<string[] | null> {
      const { status, body } = await visitor.get('/api/services/')
      return status === 200
        ? Object.values(body as Record<string, { msisdn: string }>).map(({ msisdn }) => msisdn)
        : null
    },

    /** Oldest first. */
    accountsOf: (email: string) =>
      world().db.selectFrom('users').selectAll().where('email', '=', email).orderBy('created_at').execute(),

    pinTo: (msisdn: string) =>
      pollUntil(async () => /PIN.* is (\d{6})\./.exec((await world().smsTo(msisdn))[0]?.text ?? '')?.[1]),

    /** Has Mallory use Vera's address before Vera does. The tokens are from confirmation emails, which only Vera can read. */
    async claimedFirst() {
      const email = newEmail()
      const mallory = await claim(email, claimantPasswords.theirs)
      const [toMallorys] = await waitForVerifyTokens(world(), email)
      const vera = await claim(email, claimantPasswords.own)
      const [toVeras] = await waitForVerifyTokens(world(), email, 2)
      return { email, mallory, vera, toMallorys, toVeras }
    },
  }
}
