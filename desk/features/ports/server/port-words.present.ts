import { simSamples } from '#kit/contract/sim-samples.ts'
import { fromDate } from '#kit/server/clock.ts'
import { isOver, type PortStep } from '#features/porting/porting.states.ts'
import { reasonOf, sentenceOf } from '#features/porting/server/port-failure.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { replyByOf, stepOf } from '#features/porting/server/port-progress.ts'
import { lateSince, lookedAtFrom } from '#features/porting/server/porting-hours.ts'
import type { PortEventName } from '#features/porting/server/porting-events.store.ts'
import type { PortMilestone } from '#features/porting/server/porting-milestones.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { Tone } from '#desk/features/customers/happened.contract.ts'
import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'
import type { DeskPort, PortStanding } from '../ports.contract.ts'

export type PortRules = Pick<PortingDeps, 'market' | 'stepOfPort' | 'failureOfPort'>
type Known = { milestones: readonly PortMilestone[]; now: Temporal.Instant }
type Said = Pick<PortStanding, 'words' | 'tone' | 'why'>

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0
export const textOf = (at: Temporal.Instant | null): string | null =>
  at?.toString({ fractionalSecondDigits: 3 }) ?? null

export function standingOf(rules: PortRules, port: ListedPort, { milestones, now }: Known): PortStanding {
  const nothing = { is_late: false, reply_by: null, looked_at_from: null }
  if (isOver(port.status)) return { ...nothing, ...endOf(rules, port) }
  const created = fromDate(port.created_at)
  const is_late = !isBefore(lateSince(now, rules.market), created)
  if (port.status === 'CANCELLING') return { ...nothing, is_late, ...calledOff }
  const standing = stepOf(rules, port, milestones)
  const replyBy = replyByOf(standing)
  const looked = standing.step === 'sent' ? lookedAtFrom(created, rules.market) : null
  const isAnswerLate = standing.step === 'reply' && replyBy !== null && !isBefore(now, replyBy)
  return {
    ...(isAnswerLate ? replyRanOut : stepWords(rules, port, standing.step)),
    is_late,
    reply_by: isAnswerLate ? null : textOf(replyBy),
    looked_at_from: looked && isBefore(now, looked) ? textOf(looked) : null,
  }
}

const calledOff: Said = {
  words: 'Being called off',
  tone: 'warn',
  why: 'The network has not said yet whether it still can be.',
}
const replyRanOut: Said = {
  words: 'Reply ran out',
  tone: 'warn',
  why: 'The two hours are over, and the network has not said whether the answer was in time.',
}

function stepWords({ market }: PortRules, { donor_name: donor, handed_in_at: sent }: ListedPort, step: PortStep): Said {
  switch (step) {
    case 'sent':
      return sent
        ? { words: 'Sent', tone: 'plain', why: `${donor} looks for the number.` }
        : { words: 'Not sent yet', tone: 'warn', why: 'The network has not been asked yet.' }
    case 'information':
      return { words: 'Needs facts', tone: 'warn', why: `${donor} asks for more than was sent.` }
    case 'reply':
      return market.code === 'NZ'
        ? { words: 'Waits for YES', tone: 'plain', why: 'The text from 2542 is on the old SIM.' }
        : { words: 'Waits for the code', tone: 'plain', why: 'The code is on the old SIM.' }
    case 'moving':
    case 'moved':
      return { words: 'Confirmed', tone: 'good', why: 'The number is on its way.' }
  }
}

export function endOf(rules: PortRules, port: ListedPort): Said {
  const reason = reasonOf(rules, port)
  const why = sentenceOf(reason, port.donor_name, rules.market.code)
  if (port.status === 'COMPLETED') return { words: 'Moved', tone: 'good', why: '' }
  if (port.status === 'CANCELLED') return { words: 'Called off', tone: 'plain', why }
  const words = reason === 'no_reply' ? 'No answer' : reason === 'said_no' ? 'Said no' : 'Declined'
  const code = codeOf(port)
  return { words, tone: 'bad', why: why || (code ? `The network says ${code}.` : 'The network gave no reason.') }
}

/** The network's code is free text, so phone and SIM numbers in it are masked. */
export const codeOf = ({ failure_code: code }: Pick<ListedPort, 'failure_code'>): string | null =>
  code === null ? null : withoutNumbers(code)

export function declineOf(rules: PortRules, port: ListedPort): DeskPort['decline'] {
  if (port.status !== 'FAILED') return null
  const reason = reasonOf(rules, port)
  const { why } = endOf(rules, port)
  const donor = port.donor_name
  const isNz = rules.market.code === 'NZ'
  const { begins } = simSamples[rules.market.phoneRegion]
  const answer = isNz ? 'reply YES to the text from 2542' : 'enter the code that is texted to it'
  const told = (ask: string, field: NonNullable<DeskPort['decline']>['field'] = null) => ({
    why,
    code: codeOf(port),
    ask,
    field,
  })
  switch (reason) {
    case 'sim_number':
      return told(
        `Ask for the number printed on the old SIM of ${donor}, digit by digit: 16 to 20 digits, which begin with ${begins}.`,
        'prepaid_sim_number',
      )
    case 'account_number':
      return told(
        `Ask for the account number on their last bill of ${donor}, character by character: up to 20 letters and digits.`,
        'account_number',
      )
    case 'no_reply':
      return told(`Ask them to keep the old SIM in a phone, and to ${answer} within two hours. Then ask again.`)
    case 'said_no':
      return told(
        `Ask whether they said no themselves. If not, somebody else has the old SIM: ${donor} has to know first.`,
      )
    default:
      return told(
        `Go through the number, the provider and how it is paid for, word for word; and ask whether the number still works with ${donor}.`,
      )
  }
}

export const eventWords: Record<PortEventName, { words: string; tone: Tone }> = {
  requested: { words: 'Asked for', tone: 'plain' },
  answered: { words: 'The network answered', tone: 'plain' },
  no_answer: { words: 'No answer from the network', tone: 'warn' },
  completed: { words: 'Number moved here', tone: 'good' },
  failed: { words: 'Declined', tone: 'bad' },
  cancel: { words: 'Asked to call it off', tone: 'plain' },
  cancel_refused: { words: 'The network does not call it off', tone: 'warn' },
  cancelled: { words: 'Called off', tone: 'plain' },
  replaced: { words: 'Asked for anew before it left', tone: 'plain' },
  reminded: { words: 'Customer reminded to answer', tone: 'plain' },
  asked: { words: 'Customer asked to put it right', tone: 'plain' },
}
