import type { Finding } from '#quality/support/findings.ts'
import { type ProductRecords, readProductRecords } from '#quality/support/product-records.ts'
import { findNumberFaults } from '#quality/support/reconcile-numbers.ts'
import { type FindingWithTask, collectFindings } from '#quality/support/reconciliation.ts'
import { auditDisputes } from './audit-disputes.ts'
import { auditMessages } from './audit-messages.ts'
import { auditMoney } from './audit-money.ts'
import { auditPlans } from './audit-plans.ts'
import { auditCustomerPromises } from './audit-customer-promises.ts'
import { auditStock } from './audit-stock.ts'
import type { AuditRecords } from './audit-records.ts'
import { findNeedlessTasks } from './needless-tasks.ts'

/**
 * Returns every discrepancy that is left once a run with faults has settled. The audit applies the rules of `reconcile`, plus rules about
 * what customers were told and which messages arrived. If an open task for staff already accounts for a discrepancy, it is left out. An
 * empty list means that all ledgers agree.
 */
export const audit = async (books: AuditRecords): Promise<Finding[]> => (await auditWithTasks(books)).findings

/**
 * Runs the audit and also returns any open tasks that are unnecessary. `warrants` matches the reasons of tasks that are needed even if all
 * ledgers agree.
 */
export async function auditWithTasks(
  books: AuditRecords,
  warrants: readonly RegExp[] = [],
): Promise<{ findings: Finding[]; needless: string[] }> {
  const { db, since = new Date(0) } = books
  const ours = await readProductRecords(db)
  const numbers = (await findNumberFaults(db)).map((fault) => ({ ...fault, order_code: null }))
  const found: FindingWithTask[] = [
    ...auditCustomerPromises(ours, books.promised),
    ...collectFindings(ours, books, since),
    ...numbers,
    ...auditMoney(ours, books.gateway, since),
    ...auditDisputes(ours, since),
    ...auditPlans(ours, since),
    ...auditStock(ours),
    ...auditMessages(ours, books, since),
  ]
  const isNamedByTask = createTaskMatcher(ours)
  const findingsWithoutTask = found.filter((finding) => !isNamedByTask(finding))
  return {
    findings: findingsWithoutTask.map(({ kind, order_code, text }) => ({ kind, order_code, text })),
    needless: findNeedlessTasks(ours, found, warrants),
  }
}

/**
 * Returns a function that checks whether an open task covers a finding. If something is lost, doubled or unsettled, the task must be of the
 * matching kind.
 */
function createTaskMatcher({ tasks, orders, services }: ProductRecords): (finding: FindingWithTask) => boolean {
  const orderCodeById = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const ordersWithTask = new Set(tasks.flatMap(({ order_id: id }) => (id && orderCodeById.get(id)) || []))
  const kinds = new Set(tasks.flatMap(({ order_id: id, kind }) => (id ? `${orderCodeById.get(id)} ${kind}` : [])))
  /*
   * Use only subjects that contain an id or a number: a word, such as the name of a channel, does not identify anything. A SIM's number
   * also stands for the service that uses it.
   */
  const subjects = tasks
    .flatMap(({ order_id: id, subject }) => (id === null && subject && /\d{4}/.test(subject) ? subject : []))
    .flatMap((subject) => [subject, ...services.filter(({ iccid }) => iccid === subject).map((service) => service.id)])
  return ({ kind, order_code: code, text, task }) => {
    // Findings about messages don't mention an order, so one `message` task is enough to cover all rejected messages.
    if (task && (kinds.has(`${code} ${task}`) || (task === 'message' && tasks.some((each) => each.kind === task))))
      return true
    if (kind !== 'unexplained' && kind !== 'unconfirmed') return false
    return (code !== null && ordersWithTask.has(code)) || subjects.some((subject) => text.includes(subject))
  }
}
