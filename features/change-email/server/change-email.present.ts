import { fromDate } from '#kit/server/clock.ts'
import type { ChangeEmail } from '../change-email.contract.ts'
import type { ChangeEmailState } from '../change-email.states.ts'
import { type EmailChange, lapsesAt } from './change-email.store.ts'

/** How long the page still tells how a request ended. */
const shownHours = 24

/** What a customer is told of their request, which may be none. */
export function presentChange(change: EmailChange | undefined, now: Temporal.Instant): ChangeEmail {
  const state = change ? shownState(change, now) : 'CREATED'
  if (!change || state === 'CREATED') return { state: 'CREATED', new_email: '', sent_to: '' }
  return {
    state,
    new_email: change.new_email,
    sent_to: state === 'REQUESTED' || state === 'EXPIRED' ? change.sent_to : '',
  }
}

/** The clock counts at once, not only when the sweep comes by. */
function shownState(change: EmailChange, now: Temporal.Instant): ChangeEmailState {
  const isPast = (instant: Temporal.Instant) => Temporal.Instant.compare(instant, now) <= 0
  if (change.ended_at) {
    const endedAt = fromDate(change.ended_at)
    // One that lapsed has told its customer nothing for a week, and does not begin to now.
    const hasLapsed = Temporal.Instant.compare(lapsesAt(change), endedAt) <= 0
    return hasLapsed || isPast(endedAt.add({ hours: shownHours })) ? 'CREATED' : change.state
  }
  if (isPast(lapsesAt(change))) return 'CREATED'
  return change.state === 'REQUESTED' && isPast(fromDate(change.pin_expires_at)) ? 'EXPIRED' : change.state
}

/** `•••• 142`, `a•••@example.nz`: enough for its owner to know it by. */
export function mask(recipient: string): string {
  const at = recipient.lastIndexOf('@')
  return at > 0 ? `${recipient.slice(0, 1)}•••${recipient.slice(at)}` : `•••• ${recipient.slice(-3)}`
}
