import { fromDate } from '#kit/server/clock.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { isTransferOver, type PortStep } from '../porting.states.ts'
import { findProcessingStart } from './porting-hours.ts'
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
export function getCurrentStep(
  { stepOfPort }: StepRules,
  { sub_state }: Pick<PortingRequest, 'sub_state'>,
  milestones: readonly PortMilestone[],
): CurrentStep {
  const stepMoments = listStepMoments(stepOfPort, milestones)
  const step = stepOfPort(sub_state) ?? stepMoments.at(-1)?.step ?? 'sent'
  return { step, at: stepMoments.findLast((moment) => moment.step === step)?.at ?? null }
}

const listStepMoments = (stepOfPort: StepRules['stepOfPort'], milestones: readonly PortMilestone[]): StepMoment[] =>
  milestones.flatMap(({ subState, at }) => {
    const step = stepOfPort(subState)
    return step ? [{ step, at }] : []
  })

export const getReplyDeadline = ({ step, at }: CurrentStep): Temporal.Instant | null =>
  step === 'reply' && at ? at.add(replyDuration) : null

/**
 * Returns a transfer's progress for display, or `null` once the transfer has failed, been cancelled, or been complete
 * for seven days.
 */
export function getPortProgress(
  rules: StepRules,
  port: PortingRequest,
  { milestones, now }: { milestones: readonly PortMilestone[]; now: Temporal.Instant },
): PortingRequestView['progress'] {
  const { status, ended_at } = port
  if (isTransferOver(status)) {
    const endedAt = status === 'COMPLETED' && ended_at ? fromDate(ended_at) : null
    if (!endedAt || Temporal.Instant.compare(endedAt.add({ hours: 24 * completedVisibleDays }), now) <= 0) return null
  }
  const currentStep = status === 'COMPLETED' ? getCompletedStep(port) : getCurrentStep(rules, port, milestones)
  const stepMoments = listStepMoments(rules.stepOfPort, milestones)
  const formatReachedAt = (step: PortStep): string | null => {
    if (stepOrder.indexOf(currentStep.step) < stepOrder.indexOf(step)) return null
    const firstMoment = stepMoments.find((moment) => stepOrder.indexOf(moment.step) >= stepOrder.indexOf(step))
    return formatInstant(firstMoment?.at ?? currentStep.at)
  }
  const processingStartsAt =
    currentStep.step === 'sent' ? findProcessingStart(fromDate(port.created_at), rules.market) : null
  return {
    step: currentStep.step,
    since: formatInstant(currentStep.at),
    found_at: formatReachedAt('reply'),
    confirmed_at: formatReachedAt('moving'),
    reply_by: formatInstant(getReplyDeadline(currentStep)),
    looked_at_from:
      processingStartsAt && Temporal.Instant.compare(processingStartsAt, now) > 0
        ? formatInstant(processingStartsAt)
        : null,
    is_cancelling: status === 'CANCELLING',
  }
}

/**
 * Returns the time at which a transfer first reached this step or a later one; `null` if it has reached neither. Also
 * works for transfers that have ended.
 */
export const findStepReachedAt = (
  { stepOfPort }: Pick<StepRules, 'stepOfPort'>,
  milestones: readonly PortMilestone[],
  step: PortStep,
): Temporal.Instant | null =>
  listStepMoments(stepOfPort, milestones).find((moment) => stepOrder.indexOf(moment.step) >= stepOrder.indexOf(step))
    ?.at ?? null

const getCompletedStep = ({ ended_at }: PortingRequest): CurrentStep => ({
  step: 'moved',
  at: ended_at && fromDate(ended_at),
})

const stepOrder: readonly PortStep[] = ['sent', 'information', 'reply', 'moving', 'moved']

const formatInstant = (at: Temporal.Instant | null): string | null =>
  at?.toString({ fractionalSecondDigits: 3 }) ?? null
