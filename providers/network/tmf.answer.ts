import * as v from 'valibot'
import type { NetworkAnswer } from './network.port.ts'

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
type ServiceOrder = v.InferOutput<typeof serviceOrderSchema>

/** TM Forum's error body. Networks send the code as a string or a number. */
export const refusalSchema = v.object({
  code: v.union([v.string(), v.number()]),
  reason: v.string(),
  message: v.nullish(v.string()),
})

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
export function orderedAnswer(order: ServiceOrder, retryableCodes: readonly string[]): NetworkAnswer {
  const state = Object.hasOwn(states, order.state) ? states[order.state] : undefined
  if (!state) return unknown(`service order in state ${order.state}`)
  return {
    outcome: 'known',
    state,
    subState: portStateOf(order),
    fault: state === 'failed' ? faultOf(order, retryableCodes) : null,
  }
}

export function unknown(why: string): NetworkAnswer & { outcome: 'unknown' } {
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
