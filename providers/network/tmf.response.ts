import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import type { KnownOrder, Milestone, NetworkAnswer, RejectionCause } from './network.port.ts'

/**
 * Schema for text from the network that is stored in tables and logs. The text is truncated, and NUL characters are removed because
 * PostgreSQL rejects them.
 */
const createTextSchema = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, most).replaceAll('\0', '')),
  )
const shortTextSchema = createTextSchema(100)
const longTextSchema = createTextSchema(500)

const errorCodeSchema = v.pipe(v.union([v.string(), v.number()]), v.transform(String), shortTextSchema)

const errorsSchema = v.nullish(
  v.array(
    v.object({
      code: v.nullish(errorCodeSchema),
      reason: v.nullish(longTextSchema),
      message: v.nullish(longTextSchema),
    }),
  ),
)

export const serviceOrderSchema = v.object({
  id: v.string(),
  externalId: v.nullish(v.string()),
  state: shortTextSchema,
  serviceOrderItem: v.nullish(
    v.array(
      v.object({
        service: v.nullish(
          v.object({
            serviceCharacteristic: v.nullish(v.array(v.object({ name: v.string(), value: v.unknown() }))),
          }),
        ),
        errorMessage: errorsSchema,
      }),
    ),
  ),
  errorMessage: errorsSchema,
  // Each milestone is parsed separately, so that a malformed milestone does not make the whole order unreadable.
  milestone: v.optional(v.unknown()),
})
export type ServiceOrder = v.InferOutput<typeof serviceOrderSchema>

const errorBodySchema = v.object({ code: errorCodeSchema, reason: longTextSchema, message: v.nullish(longTextSchema) })

// These HTTP statuses indicate a fault on our side or a temporary condition, rather than a rejection of the order.
const indefiniteStatuses = new Set([401, 403, 405, 408, 415, 425, 429])

type Rejection = NetworkAnswer & { outcome: 'rejected' }

/** Returns a definite rejection in the network's own words, or `null` for any other response. */
export function parseRejection(status: number, body: unknown, { errors }: NetworkMapping): Rejection | null {
  const { success, output } = v.safeParse(errorBodySchema, body)
  if (status < 400 || !success) return null
  const isRejection = status < 500 && !indefiniteStatuses.has(status) && !errors.retryable.includes(output.code)
  const isDefinite = [errors.final, errors.duplicate, errors.nothingThere].some((codes) => codes.includes(output.code))
  if (!isRejection && !isDefinite) return null
  return {
    outcome: 'rejected',
    code: output.code,
    message: output.message ?? output.reason,
    ...findRejectionCause(output.code, errors),
  }
}

function findRejectionCause(
  of: string,
  { nothingThere, alreadyActive, busy }: NetworkMapping['errors'],
): { meaning?: RejectionCause } {
  if (nothingThere.includes(of)) return { meaning: 'nothing_there' }
  if (alreadyActive.includes(of)) return { meaning: 'already_active' }
  return busy.includes(of) ? { meaning: 'busy' } : {}
}

type OrderState = NetworkMapping['states'][string]

const tmfStates: Readonly<Record<string, OrderState>> = {
  acknowledged: 'running',
  pending: 'running',
  held: 'running',
  inProgress: 'running',
  assessingCancellation: 'running',
  pendingCancellation: 'running',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  cancelled: 'cancelled',
  // An order has only one item, so a partially completed order did not deliver it.
  partial: 'failed',
}

/** Returns an order's state, or `null` for a state listed neither in the mapping nor in TMF641. */
export function toOrderState({ state }: Pick<ServiceOrder, 'state'>, mapping: NetworkMapping): OrderState | null {
  const table = [mapping.states, tmfStates].find((each) => Object.hasOwn(each, state))
  return table?.[state] ?? null
}

export function toNetworkAnswer(order: ServiceOrder, mapping: NetworkMapping): KnownOrder | UnknownOutcome {
  const state = toOrderState(order, mapping)
  if (!state) return { ...createUnknownOutcome(`service order in state ${order.state}`), unknownState: order.state }
  const hasEnded = state === 'failed' || state === 'cancelled'
  const subState = readPortState(order, mapping)
  const milestones = subState === null ? [] : readMilestones(order)
  return {
    outcome: 'known',
    state: hasEnded ? 'failed' : state,
    subState,
    ...(milestones.length > 0 && { milestones }),
    fault: hasEnded ? getOrderFault(order, mapping) : null,
  }
}

type UnknownOutcome = { outcome: 'unknown'; why: string; unknownState?: string }
export function createUnknownOutcome(why: string): UnknownOutcome {
  return { outcome: 'unknown', why }
}

function readPortState({ serviceOrderItem }: ServiceOrder, mapping: NetworkMapping): string | null {
  const characteristics = serviceOrderItem?.[0]?.service?.serviceCharacteristic ?? []
  const value = characteristics.find((one) => one.name === mapping.characteristics.portState)?.value
  return v.is(v.string(), value) ? v.parse(shortTextSchema, value) : null
}

const maxMilestones = 50

const milestoneSchema = v.object({
  name: shortTextSchema,
  milestoneDate: v.pipe(v.string(), v.maxLength(50), v.transform(Date.parse), v.number(), v.finite()),
})

function readMilestones({ milestone }: ServiceOrder): Milestone[] {
  if (!Array.isArray(milestone)) return []
  return milestone.slice(-maxMilestones).flatMap((one) => {
    const { success, output } = v.safeParse(milestoneSchema, one)
    return success ? [{ subState: output.name, at: new Date(output.milestoneDate).toISOString() }] : []
  })
}

function getOrderFault({ state, errorMessage, serviceOrderItem }: ServiceOrder, { errors }: NetworkMapping) {
  const last = errorMessage?.at(-1) ?? serviceOrderItem?.[0]?.errorMessage?.at(-1)
  const of = last?.code ?? state.toUpperCase()
  const message = last?.message ?? last?.reason ?? `The order is ${state}.`
  return { code: of, message, retryable: errors.retryable.includes(of), ...findRejectionCause(of, errors) }
}
