import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { ProductRecords } from '#quality/support/product-records.ts'
import type { AccountableFinding } from '#quality/support/reconciliation.ts'

/** Tasks of these kinds are needed even when the books agree: a dispute must be answered, and an empty stock filled. */
const alwaysNeededKinds: ReadonlySet<TaskKind> = new Set(['dispute', 'stock', 'port'])

/** A bank takes back money that was already refunded. The books agree, but only a person can contest it. */
const refundedDisputePattern = /was refunded and .* is disputed$/

/** Blocked SIM packs are among the customers' choices, so a run can have enough of them to make a wave. */
const wave = /^(\d+) or more activations failed within 24 hours because the network answered (\w+),/

function isConfirmedWave(reason: string, orders: ProductRecords['orders']): boolean {
  const [, bound, code] = wave.exec(reason) ?? []
  return bound !== undefined && orders.filter((order) => order.failure_code === code).length >= Number(bound)
}

/**
 * Open tasks that ask a person to do something although the books agree: nothing was found about their order or subject.
 * @param warrants reasons that a fault of this run makes necessary all the same
 */
export function findNeedlessTasks(
  { tasks, orders }: ProductRecords,
  findings: readonly AccountableFinding[],
  warrants: readonly RegExp[],
): string[] {
  const codeOf = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const found = new Set(findings.flatMap(({ order_code: code }) => code ?? []))
  const alwaysNeeded = [refundedDisputePattern, ...warrants]
  return tasks
    .filter(({ kind, reason }) => !alwaysNeededKinds.has(kind) && !alwaysNeeded.some((warrant) => warrant.test(reason)))
    .filter(({ reason }) => !isConfirmedWave(reason, orders))
    .filter(({ order_id: id, subject }) => {
      const code = id && codeOf.get(id)
      if (code) return !found.has(code)
      return !findings.some(({ text }) => subject !== null && text.includes(subject))
    })
    .map(
      ({ kind, reason, order_id: id }) => `${kind}: ${reason}${id ? ` (${codeOf.get(id) ?? 'an unknown order'})` : ''}`,
    )
}
