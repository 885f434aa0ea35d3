import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { createNotificationItem } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { newPspReference } from './keys.ts'
import { buildWebhookChanges } from './notification.ts'
import { additionalDataNames, defaultHiddenFields } from './state.ts'
import type { TableChange, NotificationItem, Payment, Refund } from './state.ts'
import { createSettingsChange } from './store.ts'

const cents = v.pipe(v.number(), v.safeInteger())
const commonFields = {
  reference: v.string(),
  event: v.pipe(v.string(), v.nonEmpty()),
  value: v.optional(cents),
  reason: v.optional(v.string(), ''),
}

const disputeSchema = v.strictObject({
  ...commonFields,
  dispute: v.optional(v.string()),
  due: v.optional(v.string()),
})

const returnedRefundSchema = v.strictObject({
  ...commonFields,
  event: v.picklist(['REFUND_FAILED', 'REFUNDED_REVERSED']),
})

const item = v.strictObject({
  event: v.pipe(v.string(), v.nonEmpty()),
  success: v.optional(v.boolean(), true),
  reference: v.optional(v.string(), ''),
  psp_reference: v.optional(v.string()),
  original_reference: v.optional(v.string(), ''),
  merchant_account: v.optional(v.string()),
  value: v.optional(cents, 0),
  currency: v.optional(v.string(), 'NZD'),
  reason: v.optional(v.string(), ''),
  additional_data: v.optional(v.record(v.string(), v.string()), {}),
})
const webhookRequestSchema = v.strictObject({
  items: v.pipe(v.array(item), v.minLength(1)),
  unsigned: v.optional(v.boolean(), false),
})

const accountSchema = v.strictObject({
  hidden: v.optional(v.array(v.picklist(additionalDataNames))),
  tells_of_contracts: v.optional(v.boolean()),
  network: v.optional(v.nullable(v.string())),
  result: v.optional(v.nullable(v.string())),
})

export function serveUnsolicitedNotifications(app: FastifyInstance, gateway: Gateway): void {
  app.post('/_simulator/disputes', (request) => {
    const { reference, event, value, reason, dispute, due } = v.parse(disputeSchema, request.body)
    const payment = findPayment(gateway, reference)
    // All notifications about the same dispute share one reference.
    const pspReference = dispute ?? `DISPUTE${payment.pspReference}`
    gateway.commit(
      createNotificationChanges(gateway, payment, {
        eventCode: event,
        pspReference,
        value: value ?? payment.requested,
        reason,
        additionalData: due ? { defensePeriodEndsAt: due } : {},
      }),
    )
    return { psp_reference: pspReference }
  })

  app.post('/_simulator/returned-refunds', (request) => {
    const { reference, event, value, reason } = v.parse(returnedRefundSchema, request.body)
    const payment = findPayment(gateway, reference)
    const refund = latestRefund(gateway, payment, value)
    gateway.commit([
      ...returnRefund(payment, refund),
      ...createNotificationChanges(gateway, payment, {
        eventCode: event,
        pspReference: refund.pspReference,
        value: refund.value,
        reason,
        additionalData: {},
      }),
    ])
    return { psp_reference: refund.pspReference }
  })

  app.post('/_simulator/notifications', (request, reply) => {
    const { items, unsigned } = v.parse(webhookRequestSchema, request.body)
    const [first, ...beside] = items.map((each) => createCustomItem(gateway, each))
    if (first)
      gateway.commit(buildWebhookChanges({ item: first, beside, unsigned }, gateway.store.settings().webhookMode))
    return reply.code(204).send()
  })

  app.post('/_simulator/account', (request) => {
    const { hidden, tells_of_contracts: tellsOfContracts, network, result } = v.parse(accountSchema, request.body)
    const settings = {
      ...gateway.store.settings(),
      ...(hidden && { hidden }),
      ...(tellsOfContracts !== undefined && { tellsOfContracts }),
      ...(network !== undefined && { network }),
      ...(result !== undefined && { result }),
    }
    gateway.commit([createSettingsChange(settings)])
    return { hidden: settings.hidden ?? defaultHiddenFields, tells_of_contracts: settings.tellsOfContracts ?? false }
  })
}

type NotificationDetails = { eventCode: string; pspReference: string; value: number; reason: string } & Pick<
  NotificationItem,
  'additionalData'
>

function createNotificationChanges(
  gateway: Gateway,
  payment: Payment,
  { value, ...about }: NotificationDetails,
): TableChange[] {
  const item = createNotificationItem(gateway, {
    ...about,
    success: true,
    originalReference: payment.pspReference,
    merchantReference: payment.reference,
    amount: { value, currency: payment.currency },
  })
  return buildWebhookChanges({ item }, gateway.store.settings().webhookMode)
}

function createCustomItem(gateway: Gateway, told: v.InferOutput<typeof item>): NotificationItem {
  const builtItem = createNotificationItem(gateway, {
    eventCode: told.event,
    success: told.success,
    pspReference: told.psp_reference ?? newPspReference(),
    originalReference: told.original_reference,
    merchantReference: told.reference,
    amount: { value: told.value, currency: told.currency },
    reason: told.reason,
    additionalData: told.additional_data,
  })
  return { ...builtItem, merchantAccountCode: told.merchant_account ?? gateway.merchantAccount }
}

/** Returns a refund's money to the merchant. Repeating the request has no further effect. */
const returnRefund = (payment: Payment, refund: Refund): TableChange[] =>
  refund.returned
    ? []
    : [
        { table: 'refunds', key: refund.pspReference, row: { ...refund, returned: true } },
        {
          table: 'payments',
          key: payment.pspReference,
          row: { ...payment, refunded: payment.refunded - refund.value },
        },
      ]

function findPayment(gateway: Gateway, reference: string): Payment {
  const payments = gateway.store.table('payments').values()
  return (
    payments
      .filter((payment) => payment.reference === reference)
      .toArray()
      .at(-1) ?? throwNotFound('payment')
  )
}

function latestRefund(gateway: Gateway, { pspReference }: Payment, value: number | undefined): Refund {
  const refunds = gateway.store.table('refunds').values()
  const matchingRefunds = refunds.filter(
    (refund) => refund.payment === pspReference && [undefined, refund.value].includes(value),
  )
  return matchingRefunds.toArray().at(-1) ?? throwNotFound('refund')
}

/** Reports that a payment or refund does not exist. @throws an error that the server answers with 400 */
function throwNotFound(what: string): never {
  return v.parse(v.never(`There is no such ${what}.`), what)
}
