import type { Finding } from '#quality/support/findings.ts'
import { type ProductRecords, readProductRecords } from '#quality/support/product-records.ts'
import { faultsOfNumbers } from '#quality/support/reconcile-numbers.ts'
import { type AccountableFinding, findingsOf } from '#quality/support/reconciliation.ts'
import { findingsOfDisputes } from './audit-disputes.ts'
import { findingsOfMessages } from './audit-messages.ts'
import { findingsOfMoney } from './audit-money.ts'
import { findingsOfPlans } from './audit-plans.ts'
import { findingsOfPromises } from './audit-promises.ts'
import { findingsOfStock } from './audit-stock.ts'
import type { AuditRecords } from './audit-records.ts'
import { findNeedlessTasks } from './needless-tasks.ts'

/**
 * Returns every discrepancy after a run with faults has settled. The audit applies the rules of `reconcile`, and further rules about what
 * customers were told and which messages arrived. A finding is left out if an open task for an operator accounts for it. An empty list
 * means that all ledgers agree.
 */
export const audit = async (books: AuditRecords): Promise<Finding[]> => (await auditWithTasks(books)).findings

/**
 * Runs the audit and also returns the open tasks that nobody needs. `warrants` matches reasons of tasks that are necessary even if all
 * ledgers agree.
 */
export async function auditWithTasks(
  books: AuditRecords,
  warrants: readonly RegExp[] = [],
): Promise<{ findings: Finding[]; needless: string[] }> {
  const { db, since = new Date(0) } = books
  const ours = await readProductRecords(db)
  const numbers = (await faultsOfNumbers(db)).map((fault) => ({ ...fault, order_code: null }))
  const found: AccountableFinding[] = [
    ...findingsOfPromises(ours, books.promised),
    ...findingsOf(ours, books, since),
    ...numbers,
    ...findingsOfMoney(ours, books.gateway, since),
    ...findingsOfDisputes(ours, since),
    ...findingsOfPlans(ours, since),
    ...findingsOfStock(ours),
    ...findingsOfMessages(ours, books, since),
  ]
  const isNamedByTask = createTaskMatcher(ours)
  const findingsWithoutTask = found.filter((finding) => !isNamedByTask(finding))
  return {
    findings: findingsWithoutTask.map(({ kind, order_code, text }) => ({ kind, order_code, text })),
    needless: findNeedlessTasks(ours, found, warrants),
  }
}

/** Returns a function that tells whether an open task covers a finding. Lost or doubled money must have a task of the matching kind. */
function createTaskMatcher({ tasks, orders, services }: ProductRecords): (finding: AccountableFinding) => boolean {
  const codeOf = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const ordersWithTask = new Set(tasks.flatMap(({ order_id: id }) => (id && codeOf.get(id)) || []))
  const kinds = new Set(tasks.flatMap(({ order_id: id, kind }) => (id ? `${codeOf.get(id)} ${kind}` : [])))
  /*
   * Use only subjects with an id or a number. A word such as a channel's name does not identify an item. A SIM's number also stands for its
   * service.
   */
  const subjects = tasks
    .flatMap(({ order_id: id, subject }) => (id === null && subject && /\d{4}/.test(subject) ? subject : []))
    .flatMap((subject) => [subject, ...services.filter(({ iccid }) => iccid === subject).map((service) => service.id)])
  return ({ kind, order_code: code, text, task }) => {
    // Findings about messages name no order, so a single `message` task covers all rejected messages.
    if (task && (kinds.has(`${code} ${task}`) || (task === 'message' && tasks.some((each) => each.kind === task))))
      return true
    if (kind !== 'unexplained' && kind !== 'unconfirmed') return false
    return (code !== null && ordersWithTask.has(code)) || subjects.some((subject) => text.includes(subject))
  }
}
