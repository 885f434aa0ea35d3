import { countActs } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { lastFour, maskedEmail } from '#kit/server/masks.ts'
import { findContactPhone } from '#features/account/server/contact-phone.store.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { listNumbers } from '#features/customers/server/customer.store.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { hasComeSince } from '#features/porting/server/porting.store.ts'

/**
 * A destination for a PIN, or the reason why no PIN may go there. `to` is the real destination, `shown` the masked
 * one.
 */
export type Way = { id: string; by: 'text' | 'mail'; to: string; shown: string; whyNot: string | null }

/**
 * A contact detail changed within this many hours is no proof: a person who takes over an account changes the details
 * first.
 */
const quietHours = 24
const byMail = 'mail'

export async function waysOf(db: Db | Trx, user: User, now: Temporal.Instant): Promise<Way[]> {
  if (user.erased_at) return []
  const since = now.subtract({ hours: quietHours })
  return [...(await numbersOf(db, user, since)), await addressOf(db, user, since)]
}

const hasHappened = async (db: Db, user: User, event: Parameters<typeof countActs>[2], since: Temporal.Instant) =>
  (await countActs(db, user.id, event, { since, most: 1 })) !== null

async function numbersOf(db: Db, user: User, since: Temporal.Instant): Promise<Way[]> {
  const numbers = (await listNumbers(db, user.id)).filter(({ released_at: at }) => at === null)
  const hasJoined = await hasHappened(db, user, 'accounts_joined', since)
  const contact = (await hasHappened(db, user, 'phone_changed', since)) ? await findContactPhone(db, user.id) : null
  const ways: Way[] = []
  for (const [index, { id, msisdn, created_at: made }] of numbers.entries()) {
    // The first number came with the account, so it does not count as added later.
    const isAdded = index > 0 && Temporal.Instant.compare(fromDate(made), since) > 0
    const whyNot =
      isAdded || hasJoined
        ? 'It was added to this account less than 24 hours ago.'
        : (await hasComeSince(db, id, since))
          ? 'It was transferred to us less than 24 hours ago.'
          : msisdn === contact
            ? 'It became the contact phone less than 24 hours ago.'
            : null
    ways.push({ id, by: 'text', to: msisdn, shown: lastFour(msisdn), whyNot })
  }
  return ways
}

async function addressOf(db: Db, user: User, since: Temporal.Instant): Promise<Way> {
  const whyNot = !user.email_verified_at
    ? 'This address is not confirmed.'
    : (await isMailStopped(db, user.id))
      ? 'The owner of this address told us that the account is not theirs.'
      : (await hasHappened(db, user, 'email_changed', since))
        ? 'It was changed less than 24 hours ago.'
        : null
  return { id: byMail, by: 'mail', to: user.email, shown: maskedEmail(user.email), whyNot }
}
