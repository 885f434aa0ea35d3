import { fromWire } from '#kit/contract/money.ts'
import type { DocumentRow } from '../invoices.contract.ts'

/** What was paid in the twelve months before an instant (ISO 8601), refunds taken off, in cents; null when nothing was bought. */
export function paidInLastYear(purchases: readonly DocumentRow[], now: string): number | null {
  const since = new Date(now)
  since.setUTCFullYear(since.getUTCFullYear() - 1)
  const recent = purchases.filter(({ created }) => Date.parse(created) > since.getTime())
  if (recent.length === 0) return null
  return recent.reduce((sum, { total_price }) => sum + fromWire(total_price), 0)
}
