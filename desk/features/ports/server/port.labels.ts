import { simSamples } from '#kit/contract/sim-samples.ts'
import { fromDate } from '#kit/server/clock.ts'
import { esimNumberSentence } from '#features/porting/porting.contract.ts'
import { isTransferOver, type PortStep } from '#features/porting/porting.states.ts'
import { getFailureReason, describePortFailure } from '#features/porting/server/port-failure.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { getReplyDeadline, getCurrentStep } from '#features/porting/server/port-progress.ts'
import { computeLateRequestCutoff, findProcessingStart } from '#features/porting/server/porting-hours.ts'
import type { PortEventName } from '#features/porting/server/porting-events.store.ts'
import type { PortMilestone } from '#features/porting/server/porting-milestones.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { Tone } from '#desk/features/customers/customer-history.contract.ts'
import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'
import type { DeskPort, PortStatusView } from '../ports.contract.ts'

export type PortRules = Pick<PortingDeps, 'market' | 'stepOfPort' | 'failureOfPort'>
type StatusContext = { milestones: readonly PortMilestone[]; now: Temporal.Instant }
type StatusLabel = Pick<PortStatusView, 'words' | 'tone' | 'why'>

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0
export const toIsoString = (at: Temporal.Instant | null): string | null =>
  at?.toString({ fractionalSecondDigits: 3 }) ?? null

export function getPortStatus(rules: PortRules, port: ListedPort, { milestones, now }: StatusContext): PortStatusView {
  const defaults = { is_late: false, reply_by: null, looked_at_from: null }
  if (isTransferOver(port.status)) return { ...defaults, ...outcomeLabel(rules, port) }
  const createdAt = fromDate(port.created_at)
  const is_late = !isBefore(computeLateRequestCutoff(now, rules.market), createdAt)
  if (port.status === 'CANCELLING') return { ...defaults, is_late, ...cancellingLabel }
  const currentPortStep = getCurrentStep(rules, port, milestones)
  const replyDeadline = getReplyDeadline(currentPortStep)
  const processingStartsAt = currentPortStep.step === 'sent' ? findProcessingStart(createdAt, rules.market) : null
  const isAnswerLate = currentPortStep.step === 'reply' && replyDeadline !== null && !isBefore(now, replyDeadline)
  return {
    ...(isAnswerLate ? replyExpiredLabel : stepLabel(rules, port, currentPortStep.step)),
    is_late,
    reply_by: isAnswerLate ? null : toIsoString(replyDeadline),
    looked_at_from: processingStartsAt && isBefore(now, processingStartsAt) ? toIsoString(processingStartsAt) : null,
  }
}

const cancellingLabel: StatusLabel = {
  words: 'Being cancelled',
  tone: 'warn',
  why: 'Waiting for the network to say whether it can still cancel the transfer.',
}
const replyExpiredLabel: StatusLabel = {
  words: 'Reply period ended',
  tone: 'warn',
  why: 'The two-hour reply period is over, and the network has not said whether the reply came in time.',
}

function stepLabel(
  { market }: PortRules,
  { donor_name: donor, handed_in_at: sent }: ListedPort,
  step: PortStep,
): StatusLabel {
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

export function outcomeLabel(rules: PortRules, port: ListedPort): StatusLabel {
  const reason = getFailureReason(rules, port)
  const why = describePortFailure(reason, port.donor_name, rules.market.code)
  if (port.status === 'COMPLETED') return { words: 'Moved', tone: 'good', why: '' }
  if (port.status === 'CANCELLED') return { words: 'Cancelled', tone: 'plain', why }
  const words = reason === 'no_reply' ? 'No answer' : reason === 'said_no' ? 'Reply was NO' : 'Declined'
  const code = maskedFailureCode(port)
  return { words, tone: 'bad', why: why || (code ? `The network’s code is ${code}.` : 'The network gave no reason.') }
}

/** Masks phone and SIM numbers in a failure code, because the network's codes are free text. */
export const maskedFailureCode = ({ failure_code: code }: Pick<ListedPort, 'failure_code'>): string | null =>
  code === null ? null : maskNumbers(code)

export function declineAdvice(rules: PortRules, port: ListedPort): DeskPort['decline'] {
  if (port.status !== 'FAILED') return null
  const reason = getFailureReason(rules, port)
  const { why } = outcomeLabel(rules, port)
  const donor = port.donor_name
  const isNz = rules.market.code === 'NZ'
  const { begins } = simSamples[rules.market.phoneRegion]
  const replyInstruction = isNz ? 'reply YES to the text from 2542' : 'enter the code texted to the old SIM'
  const buildAdvice = (ask: string, field: NonNullable<DeskPort['decline']>['field'] = null) => ({
    why,
    code: maskedFailureCode(port),
    ask,
    field,
  })
  switch (reason) {
    case 'sim_number':
      return buildAdvice(
        `Ask the customer for the number printed on their old ${donor} SIM: 16 to 20 digits, starting with ${begins}. ` +
          esimNumberSentence,
        'prepaid_sim_number',
      )
    case 'account_number':
      return buildAdvice(
        `Ask the customer for the account number on their last ${donor} bill: up to 20 letters and digits.`,
        'account_number',
      )
    case 'no_reply':
      return buildAdvice(
        `Ask the customer to keep the old SIM in a phone. Then request the number again: they have two hours to ${replyInstruction}.`,
      )
    case 'said_no':
      return buildAdvice(
        `Ask the customer whether they replied NO. If not, someone else has the old SIM: tell ${donor} before you try again.`,
      )
    default:
      return buildAdvice(
        `Check the number, provider and billing method with the customer, and ask if the number still works with ${donor}.`,
      )
  }
}

export const eventLabels: Record<PortEventName, { words: string; tone: Tone }> = {
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
