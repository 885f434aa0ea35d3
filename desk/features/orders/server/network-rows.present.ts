import { maskAllButLastFour } from '#kit/server/masks.ts'
import type { OrderEventRow } from '#features/orders/server/order-events.store.ts'
import type { Operation } from '#features/orders/server/operations.store.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { OrderPortRow } from './desk-order.view.ts'
import type { OrderRecord } from './order-view.ts'
import { requestOutcomeLabels, operationStateLabels, operationLabels, portLabels, maskNumbers } from './order.labels.ts'

type Row = DeskOrder['network'][number]

export function presentNetwork({ order, operations, events }: OrderRecord, port: OrderPortRow | null): Row[] {
  const operationTargets = {
    activate_sim: maskAllButLastFour(order.iccid),
    deactivate_sim: maskAllButLastFour(order.iccid),
  } as const
  const outcomeText = (operation: Operation): string | null =>
    events.findLast(
      ({ kind, subject, to_state: to }) => kind === 'call' && subject === operation.external_id && to !== 'unknown',
    )?.detail ?? null
  return [
    ...operations.map((each) =>
      operationRow(each, operationTargets[each.kind as 'activate_sim'] ?? order.product.title, outcomeText(each)),
    ),
    ...events.flatMap(eventRows),
    ...(port ? [portRow(port)] : []),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10)

function operationRow(
  { kind, state, fault, external_id, created_at, ended_at }: Operation,
  of: string,
  outcome: string | null,
): Row {
  const { said, tone } = operationStateLabels[state]
  const why = state === 'completed' ? null : (outcome ?? fault)
  return {
    at: created_at.toISOString(),
    what: operationLabels[kind],
    of,
    external_id,
    said: why ? `${said}: ${maskNumbers(why)}` : said,
    tone,
    seconds: ended_at ? secondsBetween(created_at, ended_at) : null,
  }
}

function eventRows({ kind, name, subject, to_state: to, times, at, last_at }: OrderEventRow): Row[] {
  if (kind !== 'call' || to !== 'unknown' || !(name === 'read' || name in operationLabels)) return []
  const { said, tone } = requestOutcomeLabels['unknown'] ?? { said: '', tone: 'plain' as const }
  return [
    {
      at: at.toISOString(),
      what: name === 'read' ? 'Check status' : operationLabels[name as Operation['kind']],
      of: null,
      external_id: subject,
      said: times > 1 ? `${said}, ${times} times` : said,
      tone,
      seconds: times > 1 ? secondsBetween(at, last_at) : null,
    },
  ]
}

function portRow({ external_id, donor_name, status, failure_code, created_at, ended_at }: OrderPortRow): Row {
  const { said, tone } = portLabels[status]
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
