import { type Selectable, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { endUnusableResponseTasks } from '#features/operator-tasks/server/unusable-responses.store.ts'
import { type OperationEvent, type OperationState, operationTransitions } from '../network-operations.states.ts'
import type { Order } from './orders.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    network_operations: OperationTable
  }
}

export type OperationKind = 'activate_sim' | 'deactivate_sim' | 'add_plan' | 'add_addon' | RemovalKind
type RemovalKind = 'remove_plan' | 'remove_addon'

type OperationTable = {
  external_id: string
  order_id: string
  kind: OperationKind
  attempt: number
  state: OperationState
  fault: string | null
  created_at: Date
  acknowledged_at: Date | null
  ended_at: Date | null
}
export type Operation = Selectable<OperationTable>

const shortNameByOperation: Record<OperationKind, string> = {
  activate_sim: 'sim',
  deactivate_sim: 'undo',
  add_plan: 'plan',
  add_addon: 'addon',
  remove_plan: 'unplan',
  remove_addon: 'unaddon',
}

export const operationByShortName: ReadonlyMap<string, OperationKind> = new Map(
  Object.entries(shortNameByOperation).map(([kind, name]) => [name, kind as OperationKind]),
)

/** Matches order operation ids as created by `initiateOperation`. The ids of number transfers do not match. */
const operationIdPattern = new RegExp(`^\\w{1,20}-(?:${Object.values(shortNameByOperation).join('|')})-\\d{1,4}$`)
export const isOperationId = (externalId: string): boolean => operationIdPattern.test(externalId)

export async function initiateOperation(trx: Trx, order: Order, kind: OperationKind): Promise<void> {
  const id = `${order.order_code}-${shortNameByOperation[kind]}-`
  const attempt = sql<number>`(1 + count(*))::int`
  await trx
    .insertInto('network_operations')
    .columns(['external_id', 'order_id', 'kind', 'attempt', 'state', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('network_operations')
        .select((select) => [
          sql<string>`${id}::text || ${attempt}`.as('external_id'),
          sql<string>`${order.id}::uuid`.as('order_id'),
          select.val(kind).as('kind'),
          attempt.as('attempt'),
          select.val('initiated' as const).as('state'),
          sql<Date>`${toDate(realNow())}::timestamptz`.as('created_at'),
        ])
        .where('order_id', '=', order.id)
        .where('kind', '=', kind),
    )
    // If a worker's lease has expired, both the worker and its successor may insert this operation.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const listOrderOperations = (db: Db | Trx, orderId: string): Promise<Operation[]> =>
  db.selectFrom('network_operations').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute()

export async function recordOperationAcknowledged(db: Db | Trx, { external_id }: Operation): Promise<void> {
  await db
    .updateTable('network_operations')
    .set({ acknowledged_at: toDate(realNow()) })
    .where('external_id', '=', external_id)
    .where('acknowledged_at', 'is', null)
    .execute()
}

const updateState = createStateTransition({
  table: 'network_operations',
  transitions: operationTransitions,
  asRead: ['external_id'],
})

export async function transitionOperation(
  trx: Trx,
  operation: Operation,
  event: OperationEvent,
  fault: string | null = null,
): Promise<Operation | null> {
  const updatedOperation = await updateState(trx, operation, event, { fault, ended_at: toDate(realNow()) })
  if (updatedOperation)
    await endUnusableResponseTasks(trx, { externalId: operation.external_id, orderId: operation.order_id })
  return updatedOperation
}

export async function lockOpenOperation(trx: Trx, externalId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('network_operations')
    .select('external_id')
    .where('external_id', '=', externalId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function findOrderOfOperation(
  db: Db,
  externalId: string,
): Promise<{ orderId: string; isOpen: boolean } | null> {
  const row = await db
    .selectFrom('network_operations')
    .select(['order_id', 'ended_at'])
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row ? { orderId: row.order_id, isOpen: row.ended_at === null } : null
}

export async function filterKnownOperations(db: Db, externalIds: readonly string[]): Promise<Set<string>> {
  if (externalIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('network_operations')
    .select('external_id')
    .where('external_id', 'in', externalIds)
    .execute()
  return new Set(rows.map(({ external_id: id }) => id))
}
