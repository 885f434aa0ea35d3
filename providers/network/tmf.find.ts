import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import { type ServiceOrder, serviceOrderSchema, unknown } from './tmf.answer.ts'
import { isSuccess, type TmfCall } from './tmf.call.ts'

export async function findOrder(
  call: TmfCall,
  externalId: string,
  { filters }: NetworkMapping,
): Promise<ServiceOrder | { outcome: 'absent' } | { outcome: 'unknown'; why: string }> {
  const answer = await call(`/serviceOrder?${new URLSearchParams({ [filters.externalId]: externalId })}`)
  if ('why' in answer) return unknown(answer.why)
  const { status, body } = answer
  const read = isSuccess(status) ? v.safeParse(v.array(serviceOrderSchema), body) : null
  if (!read?.success) return unknown(`HTTP ${status}`)
  if (read.output.length === 0) return { outcome: 'absent' }
  // A network that ignores the filter lists all orders, so a list without our order does not prove "never seen".
  const own = read.output.find((order) => order.externalId === externalId)
  return own ?? unknown('the network does not filter by externalId')
}
