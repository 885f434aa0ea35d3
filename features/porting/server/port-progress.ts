import { fromDate } from '#kit/server/clock.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { isTransferOver, type PortStep } from '../porting.states.ts'
import { processingStartOf } from './porting-hours.ts'
import type { PortMilestone } from './porting-milestones.store.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortingRequest } from './porting.store.ts'

type StepRules = Pick<PortingDeps, 'market' | 'stepOfPort'>
type StepMoment = { step: PortStep; at: Temporal.Instant }
/** A transfer's current step. `at` is when the step began; `null` means that no milestone was recorded for the step. */
type CurrentStep = { step: PortStep; at: Temporal.Instant | null }

const replyDuration = { hours: 2 }

const completedVisibleDays = 7

/**
 * Returns a transfer's current step. If the network's sub-state is not mapped to a step, the last known step applies.
 */
export function currentStepOf(
  { stepOfPort }: StepRules,
  { sub_state }: Pick<PortingRequest, 'sub_state'>,
  milestones: readonly PortMilestone[],
): CurrentStep {
  const stepMoments = stepMomentsOf(stepOfPort, milestones)
  const step = stepOfPort(sub_state) ?? stepMoments.at(-1)?.step ?? 'sent'
  return { step, at: stepMoments.findLast((moment) => moment.step === step)?.at ?? null }
}

const stepMomentsOf = (stepOfPort: StepRules['stepOfPort'], milestones: readonly PortMilestone[]): StepMoment[] =>
  milestones.flatMap(({ subState, at }) => {
    const step = stepOfPort(subState)
    return step ? [{ step, at }] : []
  })

export const replyDeadlineOf = ({ step, at }: CurrentStep): Temporal.Instant | null =>
  step === 'reply' && at ? at.add(replyDuration) : null

/**
 * Returns a transfer's progress for display, or `null` once the transfer has failed, been cancelled, or been complete
 * for seven days.
 */
export function portProgressOf(
  rules: StepRules,
  port: PortingRequest,
  { milestones, now }: { milestones: readonly PortMilestone[]; now: Temporal.Instant },
): PortingRequestView['progress'] {
  const { status, ended_at } = port
  if (isTransferOver(status)) {
    const endedAt = status === 'COMPLETED' && ended_at ? fromDate(ended_at) : null
    if (!endedAt || Temporal.Instant.compare(endedAt.add({ hours: 24 * completedVisibleDays }), now) <= 0) return null
  }
  const currentStep = status === 'COMPLETED' ? completedStepOf(port) : currentStepOf(rules, port, milestones)
  const stepMoments = stepMomentsOf(rules.stepOfPort, milestones)
  const reachedText = (step: PortStep): string | null => {
    if (stepOrder.indexOf(currentStep.step) < stepOrder.indexOf(step)) return null
    const firstMoment = stepMoments.find((moment) => stepOrder.indexOf(moment.step) >= stepOrder.indexOf(step))
    return instantText(firstMoment?.at ?? currentStep.at)
  }
  const processingStartsAt =
    currentStep.step === 'sent' ? processingStartOf(fromDate(port.created_at), rules.market) : null
  return {
    step: currentStep.step,
    since: instantText(currentStep.at),
    found_at: reachedText('reply'),
    confirmed_at: reachedText('moving'),
    reply_by: instantText(replyDeadlineOf(currentStep)),
    looked_at_from:
      processingStartsAt && Temporal.Instant.compare(processingStartsAt, now) > 0
        ? instantText(processingStartsAt)
        : null,
    is_cancelling: status === 'CANCELLING',
  }
}

/**
 * Returns the time at which a transfer first reached this step or a later one; `null` if it has reached neither. Also
 * works for transfers that have ended.
 */
export const stepReachedAt = (
  { stepOfPort }: Pick<StepRules, 'stepOfPort'>,
  milestones: readonly PortMilestone[],
  step: PortStep,
): Temporal.Instant | null =>
  stepMomentsOf(stepOfPort, milestones).find((moment) => stepOrder.indexOf(moment.step) >= stepOrder.indexOf(step))
    ?.at ?? null

const completedStepOf = ({ ended_at }: PortingRequest): CurrentStep => ({
  step: 'moved',
  at: ended_at && fromDate(ended_at),
})

const stepOrder: readonly PortStep[] = ['sent', 'information', 'reply', 'moving', 'moved']

const instantText = (at: Temporal.Instant | null): string | null => at?.toString({ fractionalSecondDigits: 3 }) ?? null
