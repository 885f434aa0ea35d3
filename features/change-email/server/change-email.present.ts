import { fromDate } from '#kit/server/clock.ts'
import type { EmailChangeView } from '../change-email.contract.ts'
import type { EmailChangeEvent, EmailChangeState } from '../change-email.states.ts'
import { type EmailChange, computeLapseTime } from './change-email.store.ts'

const resultVisibleHours = 24

export function presentEmailChange(
  change: EmailChange | undefined,
  now: Temporal.Instant,
  lock: Temporal.Instant | null = null,
): EmailChangeView {
  const state = change ? currentState(change, now) : 'CREATED'
  const locked_until = lock?.toString() ?? null
  if (!change || state === 'CREATED')
    return { state: 'CREATED', new_email: '', sent_to: '', canceled_by: null, locked_until }
  return {
    state,
    new_email: change.new_email,
    sent_to: state === 'REQUESTED' || state === 'EXPIRED' ? change.sent_to : '',
    canceled_by: (state === 'CANCELED' && change.canceled_by && cancellationReasons[change.canceled_by]) || null,
    locked_until,
  }
}

const cancellationReasons: Partial<Record<EmailChangeEvent, EmailChangeView['canceled_by']>> = {
  pin_wrong_too_often: 'wrong_pins',
  address_taken: 'address_taken',
}

function currentState(change: EmailChange, now: Temporal.Instant): EmailChangeState {
  const isPast = (instant: Temporal.Instant) => Temporal.Instant.compare(instant, now) <= 0
  if (change.ended_at) {
    const endedAt = fromDate(change.ended_at)
    const hasLapsed = Temporal.Instant.compare(computeLapseTime(change), endedAt) <= 0
    return hasLapsed || isPast(endedAt.add({ hours: resultVisibleHours })) ? 'CREATED' : change.state
  }
  if (isPast(computeLapseTime(change))) return 'CREATED'
  return change.state === 'REQUESTED' && isPast(fromDate(change.pin_expires_at)) ? 'EXPIRED' : change.state
}

export function maskRecipient(recipient: string): string {
  const atSignIndex = recipient.lastIndexOf('@')
  return atSignIndex > 0 ? `${recipient.slice(0, 1)}•••${recipient.slice(atSignIndex)}` : `•••• ${recipient.slice(-3)}`
}
