import { fromDate } from '#kit/server/clock.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { isOver, type PortStep } from '../porting.states.ts'
import { lookedAtFrom } from './porting-hours.ts'
import type { PortMilestone } from './porting-milestones.store.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortingRequest } from './porting.store.ts'

type Rules = Pick<PortingDeps, 'market' | 'stepOfPort'>
type Moment = { step: PortStep; at: Temporal.Instant }
/** `at` is when the step began; `null` when no milestone was recorded for it. */
type Standing = { step: PortStep; at: Temporal.Instant | null }

const replyTime = { hours: 2 }

const shownDays = 7

/** A sub-state that maps to no step leaves the last step in place. */
export function stepOf(
  { stepOfPort }: Rules,
  { sub_state }: Pick<PortingRequest, 'sub_state'>,
  milestones: readonly PortMilestone[],
): Standing {
  const moments = momentsOf(stepOfPort, milestones)
  const step = stepOfPort(sub_state) ?? moments.at(-1)?.step ?? 'sent'
  return { step, at: moments.findLast((moment) => moment.step === step)?.at ?? null }
}

const momentsOf = (stepOfPort: Rules['stepOfPort'], milestones: readonly PortMilestone[]): Moment[] =>
  milestones.flatMap(({ subState, at }) => {
    const step = stepOfPort(subState)
    return step ? [{ step, at }] : []
  })

export const replyByOf = ({ step, at }: Standing): Temporal.Instant | null =>
  step === 'reply' && at ? at.add(replyTime) : null

/** `null` once the transfer is over. A completed transfer is still shown for seven days. */
export function progressOf(
  rules: Rules,
  port: PortingRequest,
  { milestones, now }: { milestones: readonly PortMilestone[]; now: Temporal.Instant },
): PortingRequestView['progress'] {
  const { status, ended_at } = port
  if (isOver(status)) {
    const ended = status === 'COMPLETED' && ended_at ? fromDate(ended_at) : null
    if (!ended || Temporal.Instant.compare(ended.add({ hours: 24 * shownDays }), now) <= 0) return null
  }
  const standing = status === 'COMPLETED' ? movedAt(port) : stepOf(rules, port, milestones)
  const moments = momentsOf(rules.stepOfPort, milestones)
  const reached = (step: PortStep): string | null => {
    if (order.indexOf(standing.step) < order.indexOf(step)) return null
    const first = moments.find((moment) => order.indexOf(moment.step) >= order.indexOf(step))
    return textOf(first?.at ?? standing.at)
  }
  const looked = standing.step === 'sent' ? lookedAtFrom(fromDate(port.created_at), rules.market) : null
  return {
    step: standing.step,
    since: textOf(standing.at),
    found_at: reached('reply'),
    confirmed_at: reached('moving'),
    reply_by: textOf(replyByOf(standing)),
    looked_at_from: looked && Temporal.Instant.compare(looked, now) > 0 ? textOf(looked) : null,
    is_cancelling: status === 'CANCELLING',
  }
}

/** When a transfer, open or over, first reached this step or a later one; `null` if it never did. */
export const reachedAt = (
  { stepOfPort }: Pick<Rules, 'stepOfPort'>,
  milestones: readonly PortMilestone[],
  step: PortStep,
): Temporal.Instant | null =>
  momentsOf(stepOfPort, milestones).find((moment) => order.indexOf(moment.step) >= order.indexOf(step))?.at ?? null

const movedAt = ({ ended_at }: PortingRequest): Standing => ({ step: 'moved', at: ended_at && fromDate(ended_at) })

const order: readonly PortStep[] = ['sent', 'information', 'reply', 'moving', 'moved']

const textOf = (at: Temporal.Instant | null): string | null => at?.toString({ fractionalSecondDigits: 3 }) ?? null
