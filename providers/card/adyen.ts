import * as v from 'valibot'
import { createAdyenClient } from './adyen-client.ts'
import { readCardDetails } from './card-details.ts'
import type { AdyenResponse, AdyenConfig, AdyenOperation } from './adyen-client.ts'
import type {
  AuthorisationOutcome,
  CardGateway,
  CardPayment,
  CardRemovalOutcome,
  Modification,
  ModificationOutcome,
} from './card.port.ts'

export function createCardGateway(config: AdyenConfig): CardGateway {
  const call = createAdyenClient(config)
  const modifyPayment = async (operation: AdyenOperation, idempotencyKey: string, body: Record<string, unknown>) =>
    readModification(await call(operation, idempotencyKey, body))
  return {
    authorise: async (payment) =>
      readAuthorisation(await call('authorise', payment.idempotencyKey, buildAuthoriseBody(payment))),
    capture: (modification) =>
      modifyPayment('capture', modification.idempotencyKey, buildModificationBody(modification)),
    cancel: (modification) => modifyPayment('cancel', modification.idempotencyKey, pickReferences(modification)),
    refund: (modification) => modifyPayment('refund', modification.idempotencyKey, buildModificationBody(modification)),
    technicalCancel: ({ originalReference, reference, idempotencyKey }) =>
      modifyPayment('technicalCancel', idempotencyKey, { originalMerchantReference: originalReference, reference }),
    disable: async ({ storedId, shopperReference, idempotencyKey }) =>
      readCardRemovalOutcome(
        await call('disable', idempotencyKey, { shopperReference, recurringDetailReference: storedId }),
      ),
  }
}

const buildAuthoriseBody = (payment: CardPayment): Record<string, unknown> => ({
  reference: payment.reference,
  amount: { value: payment.amount, currency: payment.currency },
  shopperReference: payment.shopperReference,
  shopperEmail: payment.shopperEmail,
  shopperIP: payment.shopperIp,
  ...buildCardFields(payment),
})

// `manualCapture` makes us capture every payment ourselves, whatever the gateway account's setting.
const buildCardFields = ({ card, store }: CardPayment): Record<string, unknown> =>
  'encrypted' in card
    ? {
        shopperInteraction: 'Ecommerce',
        additionalData: { 'card.encrypted.json': card.encrypted, manualCapture: 'true' },
        recurring: store ? { contract: 'ONECLICK,RECURRING' } : undefined,
      }
    : {
        shopperInteraction: 'ContAuth',
        selectedRecurringDetailReference: card.storedId,
        recurring: { contract: 'RECURRING' },
        additionalData: { manualCapture: 'true' },
      }

const pickReferences = ({ originalReference, reference }: Modification) => ({ originalReference, reference })

const buildModificationBody = (modification: Modification & { amount: number; currency: string }) => ({
  ...pickReferences(modification),
  modificationAmount: { value: modification.amount, currency: modification.currency },
})

const authorisationSchema = v.object({
  pspReference: v.pipe(v.string(), v.nonEmpty()),
  resultCode: v.string(),
  refusalReason: v.optional(v.string(), ''),
  additionalData: v.optional(v.record(v.string(), v.unknown()), {}),
})

function readAuthorisation(answer: AdyenResponse): AuthorisationOutcome {
  if (answer.kind === 'unknown') return toUnknownOutcome(answer)
  if (answer.kind === 'refused')
    return isCustomerError(answer.code)
      ? { outcome: 'invalid', code: answer.code }
      : { outcome: 'fault', code: answer.code, message: answer.message }
  const parsed = v.safeParse(authorisationSchema, answer.body)
  if (!parsed.success) return { outcome: 'unknown', why: 'unreadable answer' }
  const { pspReference, resultCode, refusalReason, additionalData } = parsed.output
  switch (resultCode) {
    case 'Authorised':
      return { outcome: 'authorised', pspReference, card: readCardDetails(additionalData) }
    case 'Received':
    case 'Pending':
      return { outcome: 'pending', pspReference, card: readCardDetails(additionalData) }
    case 'Refused':
    case 'Error':
    case 'Cancelled':
    // Fantail does not support these extra shopper steps. Without them, no money is reserved, so the payment counts as refused.
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
    case 'PresentToShopper':
      return { outcome: 'refused', pspReference, reason: [resultCode, refusalReason].filter(Boolean).join(': ') }
    default:
      return { outcome: 'unknown', why: `result ${resultCode}`, unknownResult: resultCode }
  }
}

const toUnknownOutcome = ({ why, lockedOut }: AdyenResponse & { kind: 'unknown' }) =>
  ({ outcome: 'unknown', why, ...(lockedOut && { lockedOut }) }) as const

/**
 * Error codes that the customer can cause. They concern the card number (101, 102), security code (103), holder (128) and expiry (129, 140,
 * 141). Codes 800, 802 and 803 mean that the gateway no longer has the stored card. All other codes are faults in our request. They include
 * codes 170 to 175, which mean that an encrypted card is too old or cannot be decrypted: our page encrypts with our clock and key.
 */
const customerErrorCodes = new Set(['101', '102', '103', '128', '129', '140', '141', '800', '802', '803'])
const isCustomerError = (code: string): boolean => customerErrorCodes.has(code)

const maxResponseLength = 60

const modificationSchema = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()), response: v.string() })

function readModification(answer: AdyenResponse): ModificationOutcome {
  if (answer.kind === 'unknown') return toUnknownOutcome(answer)
  if (answer.kind === 'refused') return { outcome: 'refused', code: answer.code, message: answer.message }
  const parsed = v.safeParse(modificationSchema, answer.body)
  if (!parsed.success) return { outcome: 'unknown', why: 'unreadable answer' }
  const { pspReference, response } = parsed.output
  if (/^\[.+-received\]$/.test(response)) return { outcome: 'received', pspReference }
  // The gateway may have carried out the request. Retrying with the same idempotency key does not carry it out twice.
  return { outcome: 'unknown', why: `response ${response.slice(0, maxResponseLength)}` }
}

const cardRemovalResponseSchema = v.object({ response: v.pipe(v.string(), v.endsWith('-successfully-disabled]')) })
/** Adyen's code for a stored card that does not exist. Such a card counts as disabled, because there is nothing left to disable. */
const cardNotFoundCode = '803'

function readCardRemovalOutcome(answer: AdyenResponse): CardRemovalOutcome {
  if (answer.kind === 'unknown') return toUnknownOutcome(answer)
  if (answer.kind === 'refused')
    return answer.code === cardNotFoundCode ? { outcome: 'disabled' } : { outcome: 'refused', code: answer.code }
  return v.is(cardRemovalResponseSchema, answer.body)
    ? { outcome: 'disabled' }
    : { outcome: 'unknown', why: 'unreadable answer' }
}
