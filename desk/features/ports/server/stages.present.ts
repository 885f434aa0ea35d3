import { fromDate } from '#kit/server/clock.ts'
import { isTransferOver, type PortStep } from '#features/porting/porting.states.ts'
import { findStepReachedAt, getCurrentStep } from '#features/porting/server/port-progress.ts'
import type { PortDetails } from '#features/porting/server/port-details.ts'
import type { PortStage } from '../ports.contract.ts'
import { outcomeLabel, type PortRules, toIsoString } from './port.labels.ts'

type PortWithMilestones = Pick<PortDetails, 'port' | 'milestones'>

export function presentStages(rules: PortRules, { port, milestones }: PortWithMilestones): PortStage[] {
  const { market } = rules
  const getReachedTime = (step: PortStep) => toIsoString(findStepReachedAt(rules, milestones, step))
  const steps: [words: string, at: string | null][] = [
    ['Request sent', toIsoString(fromDate(port.created_at))],
    [`Number confirmed by ${port.donor_name}`, getReachedTime('reply')],
    [market.code === 'NZ' ? 'YES received' : 'Code received', getReachedTime('moving')],
    ['Moved', port.status === 'COMPLETED' ? toIsoString(port.ended_at && fromDate(port.ended_at)) : null],
  ]
  // Every stage before the latest reported one has been reached too, even if the network did not report it.
  const latestReachedIndex = steps.findLastIndex(([, when]) => when !== null)
  const stages = steps.map(([words, when], index): PortStage => ({
    words,
    at: when,
    is_now: index === latestReachedIndex && !isTransferOver(port.status),
    tone: index <= latestReachedIndex ? 'good' : 'plain',
  }))
  if (isTransferOver(port.status))
    return port.status === 'COMPLETED' ? stages : appendOutcome(rules, port, stages.slice(0, latestReachedIndex + 1))
  const { step, at: since } = getCurrentStep(rules, port, milestones)
  if (step !== 'information') return stages
  /*
   * The stage "Details needed" is shown second, before the stage at which the provider finds the number, whatever the
   * network reported earlier.
   */
  const missingDetailsStage: PortStage = { words: 'Details needed', at: toIsoString(since), is_now: true, tone: 'warn' }
  return stages.map((stage) => ({ ...stage, is_now: false })).toSpliced(1, 0, missingDetailsStage)
}

function appendOutcome(rules: PortRules, port: PortWithMilestones['port'], stages: PortStage[]): PortStage[] {
  const { words, tone } = outcomeLabel(rules, port)
  return [...stages, { words, at: port.ended_at?.toISOString() ?? null, is_now: false, tone }]
}
