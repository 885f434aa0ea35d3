import { fromDate } from '#kit/server/clock.ts'
import { isOver, type PortStep } from '#features/porting/porting.states.ts'
import { reachedAt, stepOf } from '#features/porting/server/port-progress.ts'
import type { WholePort } from '#features/porting/server/whole-port.ts'
import type { PortStage } from '../ports.contract.ts'
import { endOf, type PortRules, textOf } from './port-words.present.ts'

type Whole = Pick<WholePort, 'port' | 'milestones'>

export function presentStages(rules: PortRules, { port, milestones }: Whole): PortStage[] {
  const { market } = rules
  const at = (step: PortStep) => textOf(reachedAt(rules, milestones, step))
  const way: [words: string, at: string | null][] = [
    ['Requested', textOf(fromDate(port.created_at))],
    [`Found by ${port.donor_name}`, at('reply')],
    [market.code === 'NZ' ? 'YES received' : 'Code received', at('moving')],
    ['Moved', port.status === 'COMPLETED' ? textOf(port.ended_at && fromDate(port.ended_at)) : null],
  ]
  // A stage before the latest reported one has happened too, even if the network did not report it.
  const reached = way.findLastIndex(([, when]) => when !== null)
  const stages = way.map(([words, when], index): PortStage => ({
    words,
    at: when,
    is_now: index === reached && !isOver(port.status),
    tone: index <= reached ? 'good' : 'plain',
  }))
  if (isOver(port.status))
    return port.status === 'COMPLETED' ? stages : endedEarly(rules, port, stages.slice(0, reached + 1))
  const { step, at: since } = stepOf(rules, port, milestones)
  if (step !== 'information') return stages
  // A request for missing details is shown before the provider has found the number, whatever was reported earlier.
  const asks: PortStage = { words: 'Details needed', at: textOf(since), is_now: true, tone: 'warn' }
  return stages.map((stage) => ({ ...stage, is_now: false })).toSpliced(1, 0, asks)
}

function endedEarly(rules: PortRules, port: Whole['port'], stages: PortStage[]): PortStage[] {
  const { words, tone } = endOf(rules, port)
  return [...stages, { words, at: port.ended_at?.toISOString() ?? null, is_now: false, tone }]
}
