import { fromWire } from '#kit/contract/money.ts'
import type { DocumentRow } from '../invoices.contract.ts'

/**
 * Cents that were paid in the twelve months before an instant (ISO 8601), refunds taken off. Null when nothing was bought, or when
 * older purchases of these months are not among `purchases`, which come newest first.
 */
export function paidInLastYear(purchases: readonly DocumentRow[], now: string): number | null {
  const since = new Date(now)
  since.setUTCFullYear(since.getUTCFullYear() - 1)
  const oldest = purchases.at(-1)
  if (oldest?.is_oldest === false && Date.parse(oldest.created) > since.getTime()) return null
  const recent = purchases.filter(({ created }) => Date.parse(created) > since.getTime())
  if (recent.length === 0) return null
  return recent.reduce((sum, { total_price }) => sum + fromWire(total_price), 0)
}
