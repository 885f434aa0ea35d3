import { lastFour } from '#kit/server/masks.ts'
import type { HappenedToOrder } from '#features/orders/server/order-events.store.ts'
import type { Operation } from '#features/orders/server/operations.store.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { PortOfOrder } from './desk-order.view.ts'
import type { WholeOrder } from './order-view.ts'
import { callWords, operationEnds, operationWords, portWords, withoutNumbers } from './order-words.present.ts'

type Row = DeskOrder['network'][number]

export function presentNetwork({ order, operations, events }: WholeOrder, port: PortOfOrder | null): Row[] {
  const ofOperation = { activate_sim: lastFour(order.iccid), deactivate_sim: lastFour(order.iccid) } as const
  const wordsIn = (operation: Operation): string | null =>
    events.findLast(
      ({ kind, subject, to_state: to }) => kind === 'call' && subject === operation.external_id && to !== 'unknown',
    )?.detail ?? null
  return [
    ...operations.map((each) =>
      rowOf(each, ofOperation[each.kind as 'activate_sim'] ?? order.product.title, wordsIn(each)),
    ),
    ...events.flatMap(rowsOfEvent),
    ...(port ? [rowOfPort(port)] : []),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10)

function rowOf(
  { kind, state, fault, external_id, created_at, ended_at }: Operation,
  of: string,
  words: string | null,
): Row {
  const { said, tone } = operationEnds[state]
  const why = state === 'completed' ? null : (words ?? fault)
  return {
    at: created_at.toISOString(),
    what: operationWords[kind],
    of,
    external_id,
    said: why ? `${said}: ${withoutNumbers(why)}` : said,
    tone,
    seconds: ended_at ? secondsBetween(created_at, ended_at) : null,
  }
}

function rowsOfEvent({ kind, name, subject, to_state: to, times, at, last_at }: HappenedToOrder): Row[] {
  if (kind !== 'call' || to !== 'unknown' || !(name === 'read' || name in operationWords)) return []
  const { said, tone } = callWords['unknown'] ?? { said: '', tone: 'plain' as const }
  return [
    {
      at: at.toISOString(),
      what: name === 'read' ? 'Read the status' : operationWords[name as Operation['kind']],
      of: null,
      external_id: subject,
      said: times > 1 ? `${said}, ${times} times` : said,
      tone,
      seconds: times > 1 ? secondsBetween(at, last_at) : null,
    },
  ]
}

function rowOfPort({ external_id, donor_name, status, failure_code, created_at, ended_at }: PortOfOrder): Row {
  const { said, tone } = portWords[status]
  return {
    at: created_at.toISOString(),
    what: 'Transfer number',
    of: donor_name,
    external_id,
    said: failure_code ? `${said}: ${failure_code}` : said,
    tone,
    seconds: ended_at ? secondsBetween(created_at, ended_at) : null,
  }
}
