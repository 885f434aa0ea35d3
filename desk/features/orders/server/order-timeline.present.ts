import { realNow } from '#kit/server/clock.ts'
import type { OrderEvent } from '#features/orders/orders.states.ts'
import { cancelledByOperatorCode, isEndState } from '#features/orders/orders.states.ts'
import type { OrderEventRow } from '#features/orders/server/order-events.store.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { OrderRecord } from './order-view.ts'
import { stepLabels } from './order.labels.ts'

type Step = DeskOrder['rail']['steps'][number]

/**
 * Returns an order's timeline, with one step for each state change that has a label. `seconds` counts until the order
 * first reached a final state, or until now.
 */
export function presentOrderTimeline(
  { order, events, operations }: OrderRecord,
  usualSeconds: number | null,
): DeskOrder['rail'] {
  const stateChanges = events.filter(({ kind }) => kind === 'state')
  const labelledChanges = stateChanges.flatMap((move) => {
    const words = stepLabels[move.name as OrderEvent | 'placed']
    return words ? [{ move, words }] : []
  })
  const steps = labelledChanges.map(({ move, words }, index): Step => {
    const seconds = getElapsedSeconds(labelledChanges[index - 1]?.move.at ?? move.at, move.at)
    return {
      what: words.said,
      at: move.at.toISOString(),
      seconds,
      note: formatNote(move, seconds, countTries(move)),
      tone: words.tone,
    }
  })
  function countTries({ name }: OrderEventRow): number {
    const kind = name === 'sim_activated' ? 'activate_sim' : name.startsWith('plan_added') ? 'add_plan' : 'add_addon'
    return /_activated$|_added/.test(name) ? operations.filter((each) => each.kind === kind).length : 1
  }
  const first = stateChanges[0]?.at ?? order.created_at
  const end = stateChanges.find(({ to_state: to }) => to && isEndState(to as typeof order.state))?.at
  return {
    steps,
    seconds: getElapsedSeconds(first, end ?? new Date(realNow().epochMilliseconds)),
    is_over: end !== undefined,
    usual_seconds: usualSeconds,
  }
}

const getElapsedSeconds = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10)

function formatNote({ name, detail }: OrderEventRow, seconds: number, tries: number): string | null {
  if (name === 'no_answer') return seconds >= 1 ? `no answer for ${Math.round(seconds)} s` : null
  if (tries > 1) return `${tries === 2 ? '2nd' : tries === 3 ? '3rd' : `${tries}th`} try`
  // The step that failed shows the reason, so the `undone` step does not. A cancellation by staff already says so in its label.
  const isRepeated = name === 'undone' || detail === cancelledByOperatorCode
  return detail && !isRepeated ? detail.replaceAll('_', ' ') : null
}
