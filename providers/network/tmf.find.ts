import * as v from 'valibot'
import { type ServiceOrder, serviceOrderSchema, unknown } from './tmf.answer.ts'
import { isSuccess, type TmfCall } from './tmf.call.ts'

/** The service order of our own id, as the network has it; `absent` is a definite "never seen". */
export async function findOrder(
  call: TmfCall,
  externalId: string,
): Promise<ServiceOrder | { outcome: 'absent' } | { outcome: 'unknown'; why: string }> {
  const answer = await call(`/serviceOrder?externalId=${encodeURIComponent(externalId)}`)
  if ('why' in answer) return unknown(answer.why)
  const { status, body } = answer
  if (!isSuccess(status) || !v.is(v.array(serviceOrderSchema), body)) return unknown(`HTTP ${status}`)
  if (body.length === 0) return { outcome: 'absent' }
  // A network that does not know the filter lists everybody's orders: that is no "never seen".
  const own = body.find((order) => order.externalId === externalId)
  return own ?? unknown('the network does not filter by externalId')
}
