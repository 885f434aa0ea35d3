import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Clock } from '#kit/server/clock.ts'
import { nextOpening } from '#kit/server/reminder-hours.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import type { AskOutcome } from '#features/porting/server/ask-customer.ts'
import { askOf, type PortAsk, whyNotAsked } from '#features/porting/server/port-ask.ts'
import { askTextOf } from '#features/porting/server/port-ask.mail.ts'
import { replyTextOf } from '#features/porting/server/port-news.mail.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { WholePort } from '#features/porting/server/whole-port.ts'
import type { PortContact } from '../ports.contract.ts'

export async function contactOf(deps: PortingDeps, whole: WholePort): Promise<PortContact | null> {
  const { port, service, user, milestones } = whole
  const ask = askOf(deps, port, { milestones, now: deps.clock.now() })
  // The number of an erased customer is no longer stored.
  if (!ask || !service || !user || user.erased_at) return null
  return {
    act: ask.act,
    text: textOf(deps, ask, whole),
    number: formatNational(service.msisdn),
    by_mail: !(await isMailStopped(deps.db, user.id)),
    why: await whyNotAsked(deps.db, deps, ask, { port, service, user }),
  }
}

function textOf(deps: PortingDeps, ask: PortAsk, { port }: WholePort): string {
  const facts = { number: formatNational(port.msisdn), donor: port.donor_name }
  return ask.act === 'remind' ? replyTextOf(deps, { ...facts, ...ask }) : askTextOf(deps, { ...facts, ...ask })
}

type Told = Exclude<AskOutcome, { why: string }>

export function toldWords({ own, byMail, ask }: Told, { market, clock }: { market: Market; clock: Clock }): string {
  const where = `a text to ${formatNational(own)}${byMail ? ' and an email are' : ' is'} on the way`
  if (ask.act === 'remind') return `Reminder sent: ${where}.`
  const isNight = nextOpening(clock.now(), market.zone) !== null
  return `Request sent: ${where}.${isNight ? ' The text is sent in the morning.' : ''}`
}
