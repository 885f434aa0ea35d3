import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { ProductRecords } from '#quality/support/product-records.ts'
import type { FindingWithTask } from '#quality/support/reconciliation.ts'

/** Kinds of tasks that are needed even if all ledgers agree. A dispute must be answered, for example, and an empty stock refilled. */
const alwaysNeededKinds: ReadonlySet<TaskKind> = new Set(['dispute', 'stock', 'port'])

/**
 * Matches tasks about disputes over payments that have already been refunded. The ledgers agree, but only staff can contest such a dispute.
 */
const refundedDisputePattern = /was refunded and .* is disputed$/

/**
 * Matches tasks about an unusual number of failed activations. Simulated customers sometimes use blocked SIM packs, so a run can cause such
 * a task.
 */
const wave = /^(\d+) or more activations failed within 24 hours because the network answered (\w+),/

function hasManyFailedActivations(reason: string, orders: ProductRecords['orders']): boolean {
  const [, bound, code] = wave.exec(reason) ?? []
  return bound !== undefined && orders.filter((order) => order.failure_code === code).length >= Number(bound)
}

/**
 * Returns open tasks that ask staff to act although the audit found nothing wrong with the order or subject concerned.
 * @param warrants matches the reasons of tasks that the run's faults make necessary anyway
 */
export function findNeedlessTasks(
  { tasks, orders }: ProductRecords,
  findings: readonly FindingWithTask[],
  warrants: readonly RegExp[],
): string[] {
  const orderCodeById = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const found = new Set(findings.flatMap(({ order_code: code }) => code ?? []))
  const alwaysNeededPatterns = [refundedDisputePattern, ...warrants]
  return tasks
    .filter(
      ({ kind, reason }) =>
        !alwaysNeededKinds.has(kind) && !alwaysNeededPatterns.some((warrant) => warrant.test(reason)),
    )
    .filter(({ reason }) => !hasManyFailedActivations(reason, orders))
    .filter(({ order_id: id, subject }) => {
      const code = id && orderCodeById.get(id)
      if (code) return !found.has(code)
      return !findings.some(({ text }) => subject !== null && text.includes(subject))
    })
    .map(
      ({ kind, reason, order_id: id }) =>
        `${kind}: ${reason}${id ? ` (${orderCodeById.get(id) ?? 'an unknown order'})` : ''}`,
    )
}
