import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Clock } from '#kit/server/clock.ts'
import { computeNextSendingTime } from '#kit/server/sending-hours.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import type { CustomerMessageOutcome } from '#features/porting/server/message-customer.ts'
import {
  findPendingAction,
  type PendingCustomerAction,
  findReasonNotToMessage,
} from '#features/porting/server/port-action.ts'
import { formatActionSms } from '#features/porting/server/port-action.mail.ts'
import { formatReplySms } from '#features/porting/server/port-messages.mail.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { PortDetails } from '#features/porting/server/port-details.ts'
import type { PortContact } from '../ports.contract.ts'

export async function presentContact(deps: PortingDeps, portRecord: PortDetails): Promise<PortContact | null> {
  const { port, service, user, milestones } = portRecord
  const ask = findPendingAction(deps, port, { milestones, now: deps.clock.now() })
  // No message can be sent to a customer who has been erased, because their phone number is no longer stored.
  if (!ask || !service || !user || user.erased_at) return null
  return {
    act: ask.act,
    text: buildContactSms(deps, ask, portRecord),
    number: formatNational(service.msisdn),
    by_mail: !(await isMailStopped(deps.db, user.id)),
    why: await findReasonNotToMessage(deps.db, deps, ask, { port, service, user }),
  }
}

function buildContactSms(deps: PortingDeps, ask: PendingCustomerAction, { port }: PortDetails): string {
  const facts = { number: formatNational(port.msisdn), donor: port.donor_name }
  return ask.act === 'remind' ? formatReplySms(deps, { ...facts, ...ask }) : formatActionSms(deps, { ...facts, ...ask })
}

type SentContactOutcome = Exclude<CustomerMessageOutcome, { why: string }>

export function describeSentContact(
  { own, byMail, ask }: SentContactOutcome,
  { market, clock }: { market: Market; clock: Clock },
): string {
  const deliveryPhrase = `a text to ${formatNational(own)}${byMail ? ' and an email are' : ' is'} on the way`
  if (ask.act === 'remind') return `Reminder sent: ${deliveryPhrase}.`
  const isNight = computeNextSendingTime(clock.now(), market.zone) !== null
  return `Request sent: ${deliveryPhrase}.${isNight ? ' The text is sent in the morning.' : ''}`
}
