import * as v from 'valibot'
import { cardTypes } from '#kit/contract/card-types.ts'
import { createAdyenClient } from './adyen-client.ts'
import type { AdyenAnswer, AdyenConfig, AdyenOperation } from './adyen-client.ts'
import type {
  AuthoriseOutcome,
  CardDetails,
  CardGateway,
  CardPayment,
  DisableOutcome,
  Modification,
  ModificationOutcome,
} from './card.port.ts'

/** Adyen's classic Payments API v68. Live, test and simulated gateways differ by configuration alone. */
export function createCardGateway(config: AdyenConfig): CardGateway {
  const call = createAdyenClient(config)
  const modify = async (operation: AdyenOperation, idempotencyKey: string, body: Record<string, unknown>) =>
    readModification(await call(operation, idempotencyKey, body))
  return {
    authorise: async (payment) =>
      readAuthorisation(await call('authorise', payment.idempotencyKey, authoriseBody(payment))),
    capture: (modification) => modify('capture', modification.idempotencyKey, withAmount(modification)),
    cancel: (modification) => modify('cancel', modification.idempotencyKey, referencesOf(modification)),
    refund: (modification) => modify('refund', modification.idempotencyKey, withAmount(modification)),
    technicalCancel: ({ originalReference, reference, idempotencyKey }) =>
      modify('technicalCancel', idempotencyKey, { originalMerchantReference: originalReference, reference }),
    disable: async ({ storedId, shopperReference, idempotencyKey }) =>
      readDisabled(await call('disable', idempotencyKey, { shopperReference, recurringDetailReference: storedId })),
  }
}

const authoriseBody = (payment: CardPayment): Record<string, unknown> => ({
  reference: payment.reference,
  amount: { value: payment.amount, currency: payment.currency },
  shopperReference: payment.shopperReference,
  shopperEmail: payment.shopperEmail,
  shopperIP: payment.shopperIp,
  ...cardOf(payment),
})

// `manualCapture`: we capture ourselves, whatever the account's setting is.
const cardOf = ({ card, store }: CardPayment): Record<string, unknown> =>
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

const referencesOf = ({ originalReference, reference }: Modification) => ({ originalReference, reference })

const withAmount = (modification: Modification & { amount: number; currency: string }) => ({
  ...referencesOf(modification),
  modificationAmount: { value: modification.amount, currency: modification.currency },
})

const authorisation = v.object({
  pspReference: v.pipe(v.string(), v.nonEmpty()),
  resultCode: v.string(),
  refusalReason: v.optional(v.string(), ''),
  additionalData: v.optional(v.record(v.string(), v.unknown()), {}),
})

function readAuthorisation(answer: AdyenAnswer): AuthoriseOutcome {
  if (answer.kind === 'unknown') return { outcome: 'unknown', why: answer.why }
  if (answer.kind === 'refused') return { outcome: 'invalid', code: answer.code }
  const parsed = v.safeParse(authorisation, answer.body)
  if (!parsed.success) return { outcome: 'unknown', why: 'unreadable answer' }
  const { pspReference, resultCode, refusalReason, additionalData } = parsed.output
  switch (resultCode) {
    case 'Authorised':
      return { outcome: 'authorised', pspReference, card: detailsOf(additionalData) }
    case 'Received':
    case 'Pending':
      return { outcome: 'pending', pspReference, card: detailsOf(additionalData) }
    case 'Refused':
    case 'Error':
    case 'Cancelled':
    // Steps of the shopper that this product does not offer: without them nothing is ever reserved.
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
    case 'PresentToShopper':
      return { outcome: 'refused', pspReference, reason: [resultCode, refusalReason].filter(Boolean).join(': ') }
    default:
      return { outcome: 'unknown', why: `result ${resultCode}` }
  }
}

const modificationResult = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()), response: v.string() })

function readModification(answer: AdyenAnswer): ModificationOutcome {
  if (answer.kind === 'unknown') return { outcome: 'unknown', why: answer.why }
  if (answer.kind === 'refused') return { outcome: 'refused', code: answer.code, message: answer.message }
  const parsed = v.safeParse(modificationResult, answer.body)
  if (!parsed.success) return { outcome: 'unknown', why: 'unreadable answer' }
  const { pspReference, response } = parsed.output
  if (/^\[.+-received\]$/.test(response)) return { outcome: 'received', pspReference }
  return { outcome: 'refused', code: response, message: '' }
}

const disabled = v.object({ response: v.pipe(v.string(), v.endsWith('-successfully-disabled]')) })
/** The gateway's fault for a stored card that it does not have: what we want is so already. */
const noSuchCard = '803'

function readDisabled(answer: AdyenAnswer): DisableOutcome {
  if (answer.kind === 'unknown') return { outcome: 'unknown', why: answer.why }
  if (answer.kind === 'refused')
    return answer.code === noSuchCard ? { outcome: 'disabled' } : { outcome: 'refused', code: answer.code }
  return v.is(disabled, answer.body) ? { outcome: 'disabled' } : { outcome: 'unknown', why: 'unreadable answer' }
}

// Each of these is in the answer only where the account is set to return it.
function detailsOf(data: Record<string, unknown>): CardDetails {
  const textOf = (name: string) => (typeof data[name] === 'string' && data[name] !== '' ? data[name] : null)
  const type = textOf('paymentMethod')
  return {
    type: type === null ? null : (cardTypes.find((known) => known === type) ?? 'other'),
    lastFour: textOf('cardSummary'),
    expiry: expiryOf(textOf('expiryDate')),
    holderName: textOf('cardHolderName'),
    storedId: textOf('recurring.recurringDetailReference'),
  }
}

/** `8/2030` as `08/2030`. */
function expiryOf(text: string | null): string | null {
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  return month && year ? `${month.padStart(2, '0')}/${year}` : null
}
