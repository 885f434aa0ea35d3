import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { endSessions } from '#kit/server/session.ts'
import { countUpLimitsEpoch, setBlocked } from '#features/auth/server/provider-acts.store.ts'
import { endKnownBrowsers } from '#features/auth/server/users.store.ts'
import { stopAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { clearTries } from '#features/change-email/server/pin-tries.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { type Impossible, withCustomer } from './locked-customer.ts'

/** Ends every session and every known browser of a customer. */
export const signOutCustomer = ({ db, clock }: CustomersDeps, userId: string, actor: Actor) =>
  withCustomer(db, userId, async (trx) => {
    await endSessions(trx, userId, null)
    await endKnownBrowsers(trx, userId)
    await audit(trx, clock, { event: 'customer_signed_out', userId, actor })
    return { signedOut: true }
  })

/**
 * The customer neither signs in nor pays from now on, and nothing renews by itself. What was paid for before is delivered, and
 * lines work until their plans end. Answers the numbers that no longer renew.
 */
export const blockCustomer = (
  deps: CustomersDeps,
  userId: string,
  actor: Actor,
): Promise<{ stopped: string[] } | Impossible> =>
  withCustomer(deps.db, userId, async (trx, { user, services }) => {
    if (user.blocked_at) return { why: 'This customer is blocked already.' }
    await setBlocked(trx, userId, deps.clock.now())
    await endSessions(trx, userId, null)
    await endKnownBrowsers(trx, userId)
    const stopped: string[] = []
    for (const { id, msisdn } of services)
      if (await stopAutoRenewal(trx, deps, { id, userId }, actor)) stopped.push(msisdn)
    await audit(trx, deps.clock, { event: 'customer_blocked', userId, actor, details: { stopped: stopped.length } })
    return { stopped }
  })

/** The customer may sign in and pay again. Sessions and auto-renewals that the block has ended stay ended. */
export const unblockCustomer = ({ db, clock }: CustomersDeps, userId: string, actor: Actor) =>
  withCustomer(db, userId, async (trx, { user }): Promise<{ unblocked: true } | Impossible> => {
    if (!user.blocked_at) return { why: 'This customer is not blocked.' }
    await setBlocked(trx, userId, null)
    await audit(trx, clock, { event: 'customer_unblocked', userId, actor })
    return { unblocked: true }
  })

/** What keeps the account's owner out begins anew: counts of sign-ins and PINs of this account, none by network address or card. */
export const unlockCustomer = ({ db, clock }: CustomersDeps, userId: string, actor: Actor) =>
  withCustomer(db, userId, async (trx) => {
    await countUpLimitsEpoch(trx, userId)
    await clearTries(trx, userId)
    await audit(trx, clock, { event: 'customer_unlocked', userId, actor })
    return { unlocked: true }
  })
