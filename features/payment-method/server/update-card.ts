import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { formMessages } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { formError } from '#kit/server/http-error.ts'
import { lease } from '#kit/server/retry-queue.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { requireUnblocked } from '#features/auth/server/auth.ts'
import { countCardAttempt, toPayer } from '#features/refused-payments/server/refused-payments.ts'
import { paymentMethodMessages } from '../payment-method.contract.ts'
import { isCardUpdateOver } from '../payment-method.states.ts'
import {
  type CardUpdate,
  cardUpdateQueue,
  findCardUpdate,
  findCardUpdateByKey,
  insertCardUpdate,
} from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { presentSavedCard } from './saved-card.ts'
import { internalFaultPrefix, resolveCardUpdate } from './resolve-card-update.ts'

type CardUpdateRequest = { userId: string; visit: RequestContext; key: string | null; encrypted: string }

/**
 * Stores a new card for a customer. Commits the card update before calling the gateway. Repeating the call with the
 * same key returns the first request's outcome. Returns `null` while the outcome is unknown.
 * @throws 400 when no card was stored, 429 when the customer has tried too many cards
 */
export async function updateCard(deps: PaymentMethodDeps, updateRequest: CardUpdateRequest): Promise<CardToken | null> {
  const deadline = performance.now() + maxWaitMs
  const requestKey = updateRequest.key ?? randomUUID()
  const earlierUpdate = await findCardUpdateByKey(deps.db, updateRequest.userId, requestKey)
  const update = earlierUpdate ?? (await beginCardUpdate(deps, updateRequest, requestKey))
  return getUpdateResult(deps, await waitForOutcome(deps, update, deadline))
}

async function beginCardUpdate(
  deps: PaymentMethodDeps,
  { userId, visit, encrypted }: CardUpdateRequest,
  requestKey: string,
): Promise<CardUpdate> {
  const sealedCard = deps.secrets.seal(encrypted)
  const newUpdate = await transact(deps.db, async (trx) => {
    const cardUpdate = await insertCardUpdate(trx, { userId, requestKey, sealedCard, askedAt: deps.clock.now() })
    if (!cardUpdate) return undefined
    await requireUnblocked(trx, deps, [userId])
    // The limits count new cards, not repeated requests. Exceeding a limit rolls back the card update.
    await countLimitUse(trx, [{ key: `update-payment:account:${userId}`, times: 10, seconds: 3_600 }])
    await countCardAttempt(trx, {
      reference: cardUpdate.reference,
      kind: 'card_update',
      iccid: null,
      payer: toPayer(deps.secrets, visit),
    })
    await audit(trx, deps.clock, {
      event: 'card_update_requested',
      userId,
      sessionId: visit.session.id,
      details: { reference: cardUpdate.reference },
    })
    return cardUpdate
  })
  if (newUpdate) return resolveCardUpdate(deps, newUpdate, { isFirst: true })
  const concurrentUpdate = await findCardUpdateByKey(deps.db, userId, requestKey)
  if (!concurrentUpdate) throw new Error('a card update was there and is not')
  return concurrentUpdate
}

const maxWaitMs = 10_000
const pollIntervalMs = 200

async function waitForOutcome(deps: PaymentMethodDeps, update: CardUpdate, end: number): Promise<CardUpdate> {
  let latestUpdate = update
  while (!isCardUpdateOver(latestUpdate.state) && performance.now() < end) {
    await pause(pollIntervalMs)
    const hasLease = await lease(deps.db, cardUpdateQueue, update.id)
    latestUpdate = (await findCardUpdate(deps.db, update.id)) ?? latestUpdate
    if (hasLease) latestUpdate = await resolveCardUpdate(deps, latestUpdate)
  }
  return latestUpdate
}

async function getUpdateResult(deps: PaymentMethodDeps, update: CardUpdate): Promise<CardToken | null> {
  if (!isCardUpdateOver(update.state)) return null
  const card = update.state === 'stored' ? await presentSavedCard(deps, update.user_id) : null
  if (card) return card
  if (update.refusal?.startsWith(`${internalFaultPrefix} `)) throw formError(formMessages.server)
  const failureMessage = paymentMethodMessages[update.failure ?? 'unconfirmed']
  throw formError(typeof failureMessage === 'string' ? failureMessage : failureMessage(deps.cardTypes))
}
