import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import { type ServiceOrder, serviceOrderSchema, createUnknownOutcome } from './tmf.response.ts'
import { isSuccess, type TmfClient } from './tmf.client.ts'

export async function findOrder(
  call: TmfClient,
  externalId: string,
  { filters }: NetworkMapping,
): Promise<ServiceOrder | { outcome: 'absent' } | { outcome: 'unknown'; why: string }> {
  const answer = await call(`/serviceOrder?${new URLSearchParams({ [filters.externalId]: externalId })}`)
  if ('why' in answer) return createUnknownOutcome(answer.why)
  const { status, body } = answer
  const read = isSuccess(status) ? v.safeParse(v.array(serviceOrderSchema), body) : null
  if (!read?.success) return createUnknownOutcome(`HTTP ${status}`)
  if (read.output.length === 0) return { outcome: 'absent' }
  // A network that ignores the filter lists all orders, so a list without our order does not prove that the network has never seen it.
  const own = read.output.find((order) => order.externalId === externalId)
  return own ?? createUnknownOutcome('the network does not filter by externalId')
}
