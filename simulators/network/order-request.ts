import * as v from 'valibot'
import { NetworkFault } from './fault.ts'

const msisdn = v.pipe(
  v.string(),
  v.regex(/^\+?\d{8,15}$/, 'not a number'),
  v.transform((text) => text.replace('+', '')),
)
const iccid = v.pipe(v.string(), v.regex(/^\d{16,20}$/, 'not an ICCID'))
const sku = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const addedByExternalId = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
export const instantSchema = v.pipe(v.string(), v.check(isInstant, 'not an ISO 8601 instant'))
const providerId = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const accountNumber = v.pipe(v.string(), v.regex(/^[\dA-Za-z]{1,20}$/, 'not an account number'))

const port = { iccid, msisdn, donorProviderId: providerId }
const portCharacteristics = v.variant('billingMethod', [
  v.object({ ...port, billingMethod: v.literal('prepay'), donorIccid: iccid }),
  v.object({ ...port, billingMethod: v.literal('account'), donorAccountNumber: accountNumber }),
])

export const operations = {
  activate: { action: 'add', specification: 'mobileLine', characteristics: v.object({ iccid, msisdn }) },
  deactivate: { action: 'delete', specification: 'mobileLine', characteristics: v.object({ iccid, msisdn }) },
  add_plan: { action: 'add', specification: 'prepaidPlan', characteristics: v.object({ iccid, msisdn, sku }) },
  add_addon: { action: 'add', specification: 'addOn', characteristics: v.object({ iccid, msisdn, sku }) },
  remove_plan: {
    action: 'delete',
    specification: 'prepaidPlan',
    characteristics: v.object({ iccid, msisdn, addedByExternalId }),
  },
  remove_addon: {
    action: 'delete',
    specification: 'addOn',
    characteristics: v.object({ iccid, msisdn, addedByExternalId }),
  },
  port_in: { action: 'add', specification: 'numberPortIn', characteristics: portCharacteristics },
} as const

export type Operation = keyof typeof operations
export const operationNames = Object.keys(operations) as [Operation, ...Operation[]]

type Characteristics<O extends Operation> = v.InferOutput<(typeof operations)[O]['characteristics']>

/**
 * A requested order. `startsAt` is its requestedStartDate: the network accepts the order immediately and starts the product on that date.
 */
export type OrderRequest =
  | ({ operation: 'activate' | 'deactivate' } & Characteristics<'activate'>)
  | ({ operation: 'add_plan' | 'add_addon'; startsAt: string | null } & Characteristics<'add_plan'>)
  | ({ operation: 'remove_plan' | 'remove_addon' } & Characteristics<'remove_plan'>)
  | ({ operation: 'port_in' } & Characteristics<'port_in'>)

const orderBodySchema = v.object({
  externalId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
  requestedStartDate: v.optional(instantSchema),
  serviceOrderItem: v.strictTuple([
    v.object({
      id: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
      action: v.picklist(['add', 'modify', 'delete', 'noChange']),
      service: v.object({
        serviceSpecification: v.object({ id: v.string() }),
        serviceCharacteristic: v.array(v.object({ name: v.string(), value: v.unknown() })),
      }),
    }),
  ]),
})

export type RequestedOrder = { externalId: string | null; itemId: string; request: OrderRequest }

/** Reads the body of `POST serviceOrder`, which must contain exactly one item. @throws Fault 400 that names the problem */
export function readOrder(body: unknown): RequestedOrder {
  const {
    externalId = null,
    requestedStartDate = null,
    serviceOrderItem: [item],
  } = parse(orderBodySchema, body)
  const { serviceSpecification, serviceCharacteristic } = item.service
  const operation = operationNames.find(
    (name) => operations[name].action === item.action && operations[name].specification === serviceSpecification.id,
  )
  if (!operation) throw new NetworkFault(400, 'UNKNOWN_OPERATION', `cannot ${item.action} a ${serviceSpecification.id}`)
  const givenCharacteristics = Object.fromEntries(serviceCharacteristic.map(({ name, value }) => [name, value]))
  return { externalId, itemId: item.id, request: readRequest(operation, givenCharacteristics, requestedStartDate) }
}

function readRequest(operation: Operation, given: unknown, startsAt: string | null): OrderRequest {
  if (startsAt !== null && operation !== 'add_plan' && operation !== 'add_addon') {
    throw new NetworkFault(400, 'START_DATE_NOT_SUPPORTED', 'Only a plan or an add-on can start later.')
  }
  switch (operation) {
    case 'activate':
    case 'deactivate':
      return { operation, ...parse(operations[operation].characteristics, given) }
    case 'add_plan':
    case 'add_addon':
      return { operation, startsAt, ...parse(operations[operation].characteristics, given) }
    case 'remove_plan':
    case 'remove_addon':
      return { operation, ...parse(operations[operation].characteristics, given) }
    case 'port_in':
      return { operation, ...parse(operations.port_in.characteristics, given) }
  }
}

/** Validates a request's body. @throws Fault 400 that names the first invalid part */
export function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, body)
  if (result.success) return result.output
  const [issue] = result.issues
  const path = v.getDotPath(issue)
  throw new NetworkFault(400, 'INVALID_BODY', path ? `${path}: ${issue.message}` : issue.message)
}

export const identifierSchemas = { iccid, msisdn }

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text)
    return true
  } catch {
    return false
  }
}
