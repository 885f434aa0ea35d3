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
  words: 'Being cancelled',
  tone: 'warn',
  why: 'Waiting for the network to say whether it can still cancel.',
}
const replyRanOut: Said = {
  words: 'Reply time over',
  tone: 'warn',
  why: 'The two hours to reply are over, and the network has not said whether the reply came in time.',
}

function stepWords({ market }: PortRules, { donor_name: donor, handed_in_at: sent }: ListedPort, step: PortStep): Said {
  switch (step) {
    case 'sent':
      return sent
        ? { words: 'Sent', tone: 'plain', why: `${donor} is looking up the number.` }
        : { words: 'Not sent yet', tone: 'warn', why: 'The request has not been sent to the network yet.' }
    case 'information':
      return { words: 'Details needed', tone: 'warn', why: `${donor} needs more details than we sent.` }
    case 'reply':
      return market.code === 'NZ'
        ? {
            words: 'Waiting for YES',
            tone: 'plain',
            why: 'The customer has to reply to the text from 2542 on the old SIM.',
          }
        : {
            words: 'Waiting for the code',
            tone: 'plain',
            why: 'The customer has to enter the code texted to the old SIM.',
          }
    case 'moving':
    case 'moved':
      return { words: 'Confirmed', tone: 'good', why: 'The number is being transferred.' }
  }
}

export function endOf(rules: PortRules, port: ListedPort): Said {
  const reason = reasonOf(rules, port)
  const why = sentenceOf(reason, port.donor_name, rules.market.code)
  if (port.status === 'COMPLETED') return { words: 'Moved', tone: 'good', why: '' }
  if (port.status === 'CANCELLED') return { words: 'Cancelled', tone: 'plain', why }
  const words = reason === 'no_reply' ? 'No answer' : reason === 'said_no' ? 'Reply was NO' : 'Declined'
  const code = codeOf(port)
  return { words, tone: 'bad', why: why || (code ? `The network’s code is ${code}.` : 'The network gave no reason.') }
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
  const answer = isNz ? 'reply YES to the text from 2542' : 'enter the code texted to it'
  const told = (ask: string, field: NonNullable<DeskPort['decline']>['field'] = null) => ({
    why,
    code: codeOf(port),
    ask,
    field,
  })
  switch (reason) {
    case 'sim_number':
      return told(
        `Ask the customer for the number printed on their old ${donor} SIM: 16 to 20 digits, starting with ${begins}.`,
        'prepaid_sim_number',
      )
    case 'account_number':
      return told(
        `Ask the customer for the account number on their last ${donor} bill: up to 20 letters and digits.`,
        'account_number',
      )
    case 'no_reply':
      return told(
        `Ask the customer to keep the old SIM in a phone and ${answer} within two hours. Then request the number again.`,
      )
    case 'said_no':
      return told(
        `Ask the customer whether they replied NO. If not, someone else has the old SIM: tell ${donor} first.`,
      )
    default:
      return told(
        `Check the number, the provider and the billing method with the customer, and whether the number still works with ${donor}.`,
      )
  }
}

export const eventWords: Record<PortEventName, { words: string; tone: Tone }> = {
  requested: { words: 'Requested', tone: 'plain' },
  answered: { words: 'The network answered', tone: 'plain' },
  no_answer: { words: 'No answer from the network', tone: 'warn' },
  completed: { words: 'Number transferred to us', tone: 'good' },
  failed: { words: 'Declined', tone: 'bad' },
  cancel: { words: 'Cancellation requested', tone: 'plain' },
  cancel_refused: { words: 'Cancellation refused by the network', tone: 'warn' },
  cancelled: { words: 'Cancelled', tone: 'plain' },
  replaced: { words: 'Replaced by a new request before it was sent', tone: 'plain' },
  reminded: { words: 'Customer reminded to reply', tone: 'plain' },
  asked: { words: 'Customer asked to correct the details', tone: 'plain' },
}
