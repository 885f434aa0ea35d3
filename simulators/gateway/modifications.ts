import { AdyenFault } from './faults.ts'
import { createWebhookChanges } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { newPspReference } from './keys.ts'
import type { Outcome } from './operation.ts'
import { amountRequestSchema, cancelRequestSchema, readRequest, technicalCancelSchema } from './requests.ts'
import { getUncapturedAmount } from './state.ts'
import type { TableChange, EventCode, FailureKind, Payment, Refund } from './state.ts'

/*
 * A modification (capture, refund or cancel) is merely acknowledged; a webhook reports the result, with `success` set to false if it
 * failed. The ledger changes immediately, so the webhook may arrive before the response.
 */

const insufficientBalanceReason = 'Insufficient balance on payment'
const requestedRefusalReason = 'Refused by a simulated failure'
const isRefused = (failure: FailureKind | null): boolean => failure === 'refuse' || failure === 'refuse_untold'

/** Captures a payment. A payment can be captured only once, and whatever remains of the authorised amount is released. */
export function capturePayment(gateway: Gateway, body: unknown, failure: FailureKind | null): Outcome {
  const request = readRequest(amountRequestSchema, gateway.merchantAccount, body)
  const payment = findPayment(gateway, request.originalReference)
  const open = getUncapturedAmount(payment)
  const { value } = request.modificationAmount
  const hasBalance = value <= open && hasSameCurrency(payment, request.modificationAmount)
  const refusal = isRefused(failure) ? requestedRefusalReason : hasBalance ? null : insufficientBalanceReason
  const capturedPayment = {
    ...payment,
    captured: payment.captured + value,
    cancelled: payment.cancelled + open - value,
    capturedAt: gateway.now().epochMilliseconds,
  }
  return acknowledgeModification(gateway, 'CAPTURE', refusal, {
    payment,
    amount: request.modificationAmount,
    modified: capturedPayment,
  })
}

export function refund(gateway: Gateway, body: unknown, failure: FailureKind | null): Outcome {
  const request = readRequest(amountRequestSchema, gateway.merchantAccount, body)
  const payment = findPayment(gateway, request.originalReference)
  const { value } = request.modificationAmount
  const hasBalance =
    value <= payment.captured - payment.refunded && hasSameCurrency(payment, request.modificationAmount)
  const refusal = isRefused(failure) ? requestedRefusalReason : hasBalance ? null : insufficientBalanceReason
  const refundedPayment = { ...payment, refunded: payment.refunded + value }
  const outcome = acknowledgeModification(gateway, 'REFUND', refusal, {
    payment,
    amount: request.modificationAmount,
    modified: refundedPayment,
  })
  const { pspReference } = outcome.body
  // Store a refund under its own reference, because the notification about a returned refund uses that reference.
  const createdAt = gateway.now().epochMilliseconds
  const row: Refund = { pspReference, payment: payment.pspReference, value, returned: refusal !== null, createdAt }
  return { ...outcome, changes: [...outcome.changes, { table: 'refunds', key: pspReference, row }] }
}

export function cancel(gateway: Gateway, body: unknown, failure: FailureKind | null): Outcome {
  const request = readRequest(cancelRequestSchema, gateway.merchantAccount, body)
  const payment = findPayment(gateway, request.originalReference)
  const isCancellable = getUncapturedAmount(payment) > 0 || payment.pending !== null
  const refusal = isRefused(failure) ? requestedRefusalReason : isCancellable ? null : insufficientBalanceReason
  return acknowledgeModification(gateway, 'CANCELLATION', refusal, {
    payment,
    amount: getRequestedAmount(payment),
    modified: releasePayment(payment),
  })
}

/**
 * Cancels a payment by the merchant's reference, whatever its state. Reserved money is released, and a pending payment is stopped. If an
 * authorise request with the same reference arrives later, the response is Cancelled. Cancelling fails only if money has been captured. The
 * real gateway does not guarantee that a later authorise request is cancelled: see README.md.
 */
export function technicalCancel(gateway: Gateway, body: unknown, failure: FailureKind | null): Outcome {
  const request = readRequest(technicalCancelSchema, gateway.merchantAccount, body)
  const reference = request.originalMerchantReference
  const payments = [...gateway.store.table('payments').values()].filter((payment) => payment.reference === reference)
  const isCaptured = payments.some((payment) => payment.captured > 0)
  const refusal = isRefused(failure) ? requestedRefusalReason : isCaptured ? insufficientBalanceReason : null
  const stop: TableChange = { table: 'stops', key: reference, row: true }
  const pspReference = newPspReference()
  const latestPayment = payments.at(-1)
  return {
    body: { pspReference, response: '[technical-cancel-received]' },
    changes: [
      ...(refusal === null ? [stop, ...payments.map((payment) => createPaymentChange(releasePayment(payment)))] : []),
      ...createWebhookChanges(gateway, {
        eventCode: 'TECHNICAL_CANCEL',
        success: refusal === null,
        pspReference,
        originalReference: latestPayment?.pspReference ?? '',
        merchantReference: reference,
        // The currency is not known for an unknown payment. XXX is the ISO 4217 code for "no currency".
        amount: latestPayment ? getRequestedAmount(latestPayment) : { value: 0, currency: 'XXX' },
        reason: refusal ?? '',
        additionalData: {},
      }),
    ],
  }
}

const responseTexts = { CAPTURE: '[capture-received]', REFUND: '[refund-received]', CANCELLATION: '[cancel-received]' }

type Amount = { value: number; currency: string }

type Modification = { payment: Payment; amount: Amount; modified: Payment }

function acknowledgeModification(
  gateway: Gateway,
  eventCode: EventCode & keyof typeof responseTexts,
  refusal: string | null,
  { payment, amount, modified }: Modification,
): Outcome & { body: { pspReference: string } } {
  const pspReference = newPspReference()
  return {
    body: { pspReference, response: responseTexts[eventCode] },
    changes: [
      ...(refusal === null ? [createPaymentChange(modified)] : []),
      ...createWebhookChanges(gateway, {
        eventCode,
        success: refusal === null,
        pspReference,
        originalReference: payment.pspReference,
        merchantReference: payment.reference,
        amount,
        reason: refusal ?? '',
        additionalData: {},
      }),
    ],
  }
}

function findPayment(gateway: Gateway, pspReference: string): Payment {
  const payment = gateway.store.table('payments').get(pspReference)
  if (!payment) throw new AdyenFault('167')
  return payment
}

const releasePayment = (payment: Payment): Payment => ({
  ...payment,
  cancelled: payment.cancelled + getUncapturedAmount(payment),
  pending: null,
})

const createPaymentChange = (payment: Payment): TableChange => ({
  table: 'payments',
  key: payment.pspReference,
  row: payment,
})

const getRequestedAmount = (payment: Payment): Amount => ({ value: payment.requested, currency: payment.currency })

const hasSameCurrency = (payment: Payment, amount: Amount): boolean => payment.currency === amount.currency
