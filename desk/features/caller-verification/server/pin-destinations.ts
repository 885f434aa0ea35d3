import { countAuditEvents } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { maskAllButLastFour, maskEmail } from '#kit/server/masks.ts'
import { findContactPhone } from '#features/account/server/contact-phone.store.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { listNumbers } from '#features/customers/server/customer.store.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { hasNumberMovedSince } from '#features/porting/server/porting.store.ts'

/**
 * A place to which a PIN can be sent, or the reason why none can be sent there. `to` is the full address or number,
 * `shown` the masked one.
 */
export type PinDestination = { id: string; by: 'text' | 'mail'; to: string; shown: string; whyNot: string | null }

/**
 * Contact details that changed within this many hours prove nothing, because changing them is the first thing that
 * someone who takes over an account does.
 */
const recentChangeHours = 24
const emailDestinationId = 'mail'

export async function listPinDestinations(db: Db | Trx, user: User, now: Temporal.Instant): Promise<PinDestination[]> {
  if (user.erased_at) return []
  const since = now.subtract({ hours: recentChangeHours })
  return [...(await phoneDestinations(db, user, since)), await emailDestination(db, user, since)]
}

const hasRecentEvent = async (
  db: Db,
  user: User,
  event: Parameters<typeof countAuditEvents>[2],
  since: Temporal.Instant,
) => (await countAuditEvents(db, user.id, event, { since, most: 1 })) !== null

async function phoneDestinations(db: Db, user: User, since: Temporal.Instant): Promise<PinDestination[]> {
  const numbers = (await listNumbers(db, user.id)).filter(({ released_at: at }) => at === null)
  const hasMergedAccount = await hasRecentEvent(db, user, 'accounts_joined', since)
  const changedContactPhone = (await hasRecentEvent(db, user, 'phone_changed', since))
    ? await findContactPhone(db, user.id)
    : null
  const destinations: PinDestination[] = []
  for (const [index, { id, msisdn, created_at: made }] of numbers.entries()) {
    // The customer's first number came with the account, so it does not count as added later.
    const wasRecentlyAdded = index > 0 && Temporal.Instant.compare(fromDate(made), since) > 0
    const unavailableReason =
      wasRecentlyAdded || hasMergedAccount
        ? 'This number was added to this account less than 24 hours ago.'
        : (await hasNumberMovedSince(db, id, since))
          ? 'This number was transferred to us less than 24 hours ago.'
          : msisdn === changedContactPhone
            ? 'This number became the contact phone less than 24 hours ago.'
            : null
    destinations.push({ id, by: 'text', to: msisdn, shown: maskAllButLastFour(msisdn), whyNot: unavailableReason })
  }
  return destinations
}

async function emailDestination(db: Db, user: User, since: Temporal.Instant): Promise<PinDestination> {
  const unavailableReason = !user.email_verified_at
    ? 'This address is not confirmed.'
    : (await isMailStopped(db, user.id))
      ? 'The owner of this address told us that the account is not theirs.'
      : (await hasRecentEvent(db, user, 'email_changed', since))
        ? 'This address was changed less than 24 hours ago.'
        : null
  return {
    id: emailDestinationId,
    by: 'mail',
    to: user.email,
    shown: maskEmail(user.email),
    whyNot: unavailableReason,
  }
}
