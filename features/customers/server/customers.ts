import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { endSessions } from '#kit/server/session.ts'
import { incrementLimitsEpoch, setUserBlockedAt } from '#features/auth/server/staff-actions.store.ts'
import { forgetKnownBrowsers } from '#features/auth/server/users.store.ts'
import { stopAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { clearPinAttempts } from '#features/change-email/server/pin-tries.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { type ActionRefusal, withLockedCustomer } from './locked-customer.ts'

export const signOutCustomer = ({ db, clock }: CustomersDeps, userId: string, actor: Actor) =>
  withLockedCustomer(db, userId, async (trx) => {
    await endSessions(trx, userId, null)
    await forgetKnownBrowsers(trx, userId)
    await audit(trx, clock, { event: 'customer_signed_out', userId, actor })
    return { signedOut: true }
  })

/**
 * Blocks a customer, who can then neither sign in nor pay, and turns off their auto-renewals. Paid orders are still
 * delivered, and services work until their plans end. Returns the numbers whose auto-renewal was turned off.
 */
export const blockCustomer = (
  deps: CustomersDeps,
  userId: string,
  actor: Actor,
): Promise<{ stopped: string[] } | ActionRefusal> =>
  withLockedCustomer(deps.db, userId, async (trx, { user, services }) => {
    if (user.blocked_at) return { why: 'This customer is already blocked.' }
    await setUserBlockedAt(trx, userId, deps.clock.now())
    await endSessions(trx, userId, null)
    await forgetKnownBrowsers(trx, userId)
    const numbersNoLongerRenewing: string[] = []
    for (const { id, msisdn } of services)
      if (await stopAutoRenewal(trx, deps, { id, userId }, actor)) numbersNoLongerRenewing.push(msisdn)
    await audit(trx, deps.clock, {
      event: 'customer_blocked',
      userId,
      actor,
      details: { stopped: numbersNoLongerRenewing.length },
    })
    return { stopped: numbersNoLongerRenewing }
  })

/** Unblocks a customer. Sessions and auto-renewals that the block ended are not restored. */
export const unblockCustomer = ({ db, clock }: CustomersDeps, userId: string, actor: Actor) =>
  withLockedCustomer(db, userId, async (trx, { user }): Promise<{ unblocked: true } | ActionRefusal> => {
    if (!user.blocked_at) return { why: 'This customer is not blocked.' }
    await setUserBlockedAt(trx, userId, null)
    await audit(trx, clock, { event: 'customer_unblocked', userId, actor })
    return { unblocked: true }
  })

/** Resets a customer's limits on sign-ins and PINs. It leaves limits per network address and per card unchanged. */
export const unlockCustomer = ({ db, clock }: CustomersDeps, userId: string, actor: Actor) =>
  withLockedCustomer(db, userId, async (trx) => {
    await incrementLimitsEpoch(trx, userId)
    await clearPinAttempts(trx, userId)
    await audit(trx, clock, { event: 'customer_unlocked', userId, actor })
    return { unlocked: true }
  })
