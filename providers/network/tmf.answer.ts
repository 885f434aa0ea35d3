import * as v from 'valibot'
import type { KnownOrder } from './network.port.ts'

/** The part of a TMF641 service order that the product reads. */
export const serviceOrderSchema = v.object({
  id: v.string(),
  externalId: v.nullish(v.string()),
  state: v.string(),
  serviceOrderItem: v.nullish(
    v.array(
      v.object({
        service: v.nullish(
          v.object({
            serviceCharacteristic: v.nullish(v.array(v.object({ name: v.string(), value: v.unknown() }))),
          }),
        ),
      }),
    ),
  ),
  errorMessage: v.nullish(
    v.array(
      v.object({
        code: v.nullish(v.string()),
        reason: v.nullish(v.string()),
        message: v.nullish(v.string()),
      }),
    ),
  ),
})
export type ServiceOrder = v.InferOutput<typeof serviceOrderSchema>

/** TM Forum's error body. Networks send the code as a string or a number. */
const refusalSchema = v.object({
  code: v.union([v.string(), v.number()]),
  reason: v.string(),
  message: v.nullish(v.string()),
})

// Our side's fault or a moment's: neither says that the network will not do it.
const undecidedStatuses = new Set([401, 403, 405, 408, 415, 425, 429])

/** A definite no in the network's own words; null for any other answer. */
export function refusalOf(
  status: number,
  body: unknown,
): { outcome: 'rejected'; code: string; message: string } | null {
  const isRefusal = status >= 400 && status < 500 && !undecidedStatuses.has(status)
  if (!isRefusal || !v.is(refusalSchema, body)) return null
  return { outcome: 'rejected', code: String(body.code), message: body.message ?? body.reason }
}

const states: Readonly<Record<string, 'running' | 'completed' | 'failed'>> = {
  acknowledged: 'running',
  pending: 'running',
  held: 'running',
  inProgress: 'running',
  assessingCancellation: 'running',
  pendingCancellation: 'running',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  cancelled: 'failed',
  // One item for each order, so a part of it is not what was asked for.
  partial: 'failed',
}

/** A service order in the product's words. */
export function orderedAnswer(order: ServiceOrder, retryableCodes: readonly string[]): KnownOrder | Unknown {
  const state = Object.hasOwn(states, order.state) ? states[order.state] : undefined
  if (!state) return unknown(`service order in state ${order.state}`)
  return {
    outcome: 'known',
    state,
    subState: portStateOf(order),
    fault: state === 'failed' ? faultOf(order, retryableCodes) : null,
  }
}

type Unknown = { outcome: 'unknown'; why: string }
export function unknown(why: string): Unknown {
  return { outcome: 'unknown', why }
}

function portStateOf({ serviceOrderItem }: ServiceOrder): string | null {
  const characteristics = serviceOrderItem?.[0]?.service?.serviceCharacteristic ?? []
  const value = characteristics.find(({ name }) => name === 'portInState')?.value
  return typeof value === 'string' ? value : null
}

function faultOf({ state, errorMessage }: ServiceOrder, retryableCodes: readonly string[]) {
  const last = errorMessage?.at(-1)
  const code = last?.code ?? state.toUpperCase()
  const message = last?.message ?? last?.reason ?? `The order is ${state}.`
  return { code, message, retryable: retryableCodes.includes(code) }
}
