import { randomInt } from 'node:crypto'
import { createCardOnFile, checkCard } from './card.ts'
import { decryptCard } from './decrypt.ts'
import { AdyenFault } from './faults.ts'
import { createWebhookChanges } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { newPspReference } from './keys.ts'
import type { Outcome } from './operation.ts'
import { authoriseRequestSchema, readRequest } from './requests.ts'
import type { AuthoriseRequest } from './requests.ts'
import { defaultHiddenFields } from './state.ts'
import type { CardOnFile, TableChange, FailureKind, Payment, StoredCard } from './state.ts'
import { createRefusal, findDecisionByHolderName } from './triggers.ts'
import type { AuthorisationDecision } from './triggers.ts'

/** Authorises a payment, or only stores the card if the amount is 0. A refused payment is a normal response, not a fault. */
export function authorise(gateway: Gateway, body: unknown, failure: FailureKind | null): Outcome {
  const request = readRequest(authoriseRequestSchema, gateway.merchantAccount, body)
  const { card, storedCard } = resolveCard(gateway, request)
  const decision = decideAuthorisation(gateway, request, card, failure)
  const payment: Payment = {
    pspReference: newPspReference(),
    reference: request.reference,
    currency: request.amount.currency,
    requested: request.amount.value,
    authorised: 0,
    captured: 0,
    refunded: 0,
    cancelled: 0,
    pending: null,
    createdAt: gateway.now().epochMilliseconds,
    card,
    storedCard,
  }
  if (decision.kind === 'pending') {
    const resolvesAt = decision.resolves ? gateway.now().epochMilliseconds + gateway.pendingDelayMs : null
    const pending = { resolvesAt, approves: decision.approves }
    return {
      body: {
        pspReference: payment.pspReference,
        resultCode: 'Received',
        additionalData: selectAdditionalData(gateway, buildCardData(payment)),
      },
      changes: [{ table: 'payments', key: payment.pspReference, row: { ...payment, pending } }],
    }
  }
  if (decision.kind === 'refused') {
    const { resultCode, reason } = decision
    return {
      body: {
        pspReference: payment.pspReference,
        resultCode,
        refusalReason: reason,
        additionalData: selectAdditionalData(gateway, buildCardData(payment)),
      },
      changes: createRefusalChanges(gateway, payment, reason),
    }
  }
  return {
    body: {
      pspReference: payment.pspReference,
      resultCode: gateway.store.settings().result ?? 'Authorised',
      authCode: String(randomInt(100_000, 1_000_000)),
      additionalData: selectAdditionalData(gateway, buildApprovedPaymentData(payment)),
    },
    changes: createApprovalChanges(gateway, payment),
    answerIsLost: decision.answerIsLost,
  }
}

export function createApprovalChanges(gateway: Gateway, payment: Payment): TableChange[] {
  const { storedCard } = payment
  return [
    { table: 'payments', key: payment.pspReference, row: { ...payment, authorised: payment.requested, pending: null } },
    ...(storedCard ? [{ table: 'cards', key: storedCard.id, row: storedCard } satisfies TableChange] : []),
    ...createAuthorisationWebhook(gateway, payment, null),
    ...createStoredCardWebhook(gateway, payment),
  ]
}

export function createRefusalChanges(gateway: Gateway, payment: Payment, reason: string): TableChange[] {
  return [
    { table: 'payments', key: payment.pspReference, row: { ...payment, pending: null } },
    ...createAuthorisationWebhook(gateway, payment, reason),
  ]
}

const refusalReasons: Partial<Record<FailureKind, string>> = {
  refuse: 'Refused',
  refuse_expired: 'Expired Card',
  refuse_balance: 'Not enough balance',
}

function decideAuthorisation(
  gateway: Gateway,
  request: AuthoriseRequest,
  card: CardOnFile,
  failure: FailureKind | null,
): AuthorisationDecision {
  if (gateway.store.table('stops').has(request.reference)) {
    return { kind: 'refused', resultCode: 'Cancelled', reason: 'Cancelled by technicalCancel' }
  }
  const requestedRefusalReason = failure && refusalReasons[failure]
  if (requestedRefusalReason) return createRefusal(requestedRefusalReason)
  const { year, month } = gateway.now().toZonedDateTimeISO('UTC')
  const isExpired = card.expiryYear * 12 + card.expiryMonth < year * 12 + month
  return isExpired ? createRefusal('Expired Card') : findDecisionByHolderName(card.holderName)
}

function resolveCard(gateway: Gateway, request: AuthoriseRequest): { card: CardOnFile; storedCard: StoredCard | null } {
  const id = request.selectedRecurringDetailReference
  if (id !== undefined) {
    const storedCardData = findStoredCard(gateway, request, id)
    return { card: storedCardData, storedCard: storedCardData }
  }
  const encryptedCard = request.additionalData['card.encrypted.json']
  if (!encryptedCard) throw new AdyenFault('186')
  const clear = decryptCard(encryptedCard, gateway.privateKey, gateway.now())
  checkCard(clear)
  const card = createCardOnFile(clear)
  if (!request.recurring) return { card, storedCard: null }
  if (request.shopperReference === '') throw new AdyenFault('121')
  return { card, storedCard: { ...card, id: newPspReference(), shopperReference: request.shopperReference } }
}

function findStoredCard(gateway: Gateway, request: AuthoriseRequest, id: string): StoredCard {
  if (request.shopperReference === '') throw new AdyenFault('121')
  if (request.shopperInteraction !== 'ContAuth' || !request.recurring?.contract.includes('RECURRING'))
    throw new AdyenFault('183')
  const cards = gateway.store.table('cards').values()
  const shopperCards = cards.filter((card) => card.shopperReference === request.shopperReference).toArray()
  const storedCard = id === 'LATEST' ? shopperCards.at(-1) : shopperCards.find((card) => card.id === id)
  if (!storedCard) throw new AdyenFault('803')
  return storedCard
}

const buildCardData = ({ card }: Payment): Record<string, string> => ({
  cardSummary: card.summary,
  expiryDate: `${card.expiryMonth}/${card.expiryYear}`,
  cardHolderName: card.holderName,
  paymentMethod: card.paymentMethod,
  ...(card.bin !== undefined && { cardBin: card.bin }),
})

const buildApprovedPaymentData = (payment: Payment): Record<string, string> => ({
  ...buildCardData(payment),
  ...(payment.storedCard && {
    'recurring.recurringDetailReference': payment.storedCard.id,
    'recurring.shopperReference': payment.storedCard.shopperReference,
  }),
})

const createAuthorisationWebhook = (gateway: Gateway, payment: Payment, refusalReason: string | null): TableChange[] =>
  createWebhookChanges(gateway, {
    eventCode: 'AUTHORISATION',
    success: refusalReason === null,
    pspReference: payment.pspReference,
    originalReference: '',
    merchantReference: payment.reference,
    amount: { value: payment.requested, currency: payment.currency },
    reason: refusalReason ?? '',
    additionalData: selectAdditionalData(
      gateway,
      refusalReason === null ? buildApprovedPaymentData(payment) : buildCardData(payment),
    ),
  })

function selectAdditionalData(gateway: Gateway, data: Record<string, string>): Record<string, string> {
  const { hidden = defaultHiddenFields, network } = gateway.store.settings()
  const dataWithCardNetwork = network ? { ...data, paymentMethod: network } : data
  return Object.fromEntries(Object.entries(dataWithCardNetwork).filter(([name]) => !hidden.some((one) => one === name)))
}

/** Creates the webhook that reports a newly stored card. The webhook's `pspReference` is the card's reference. */
function createStoredCardWebhook(gateway: Gateway, { storedCard, ...payment }: Payment): TableChange[] {
  if (!storedCard || !gateway.store.settings().tellsOfContracts || gateway.store.table('cards').has(storedCard.id))
    return []
  return createWebhookChanges(gateway, {
    eventCode: 'RECURRING_CONTRACT',
    success: true,
    pspReference: storedCard.id,
    originalReference: payment.pspReference,
    merchantReference: payment.reference,
    amount: { value: 0, currency: payment.currency },
    reason: '',
    additionalData: {
      shopperReference: storedCard.shopperReference,
      'recurring.recurringDetailReference': storedCard.id,
    },
  })
}
