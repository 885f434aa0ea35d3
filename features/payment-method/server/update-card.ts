import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { formMessages } from '#kit/contract/errors.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { countUse } from '#kit/server/limits.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { lease } from '#kit/server/retries.ts'
import type { Visit } from '#kit/server/visit.ts'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { requireUnblocked } from '#features/auth/server/auth.ts'
import { countCardAttempt, payerOf } from '#features/refused-payments/server/refused-payments.ts'
import { paymentMethodMessages } from '../payment-method.contract.ts'
import { isOver } from '../payment-method.states.ts'
import {
  type CardUpdate,
  cardUpdateRetries,
  findCardUpdate,
  findCardUpdateByKey,
  insertCardUpdate,
} from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { presentSavedCard } from './saved-card.ts'
import { faultOfOurs, resolveCardUpdate } from './resolve-card-update.ts'

type Asking = { userId: string; visit: Visit; key: string | null; encrypted: string }

/**
 * The intent is committed before the gateway is called. A repeat with the same key returns the outcome of the first
 * request. Returns `null` while the outcome is unknown.
 * @throws 400 when no card was stored, 429 when too many were tried
 */
export async function updateCard(deps: PaymentMethodDeps, asking: Asking): Promise<CardToken | null> {
  const end = performance.now() + longestWaitMs
  const requestKey = asking.key ?? randomUUID()
  const earlier = await findCardUpdateByKey(deps.db, asking.userId, requestKey)
  const update = earlier ?? (await begin(deps, asking, requestKey))
  return outcomeOf(deps, await waitForOutcome(deps, update, end))
}

async function begin(
  deps: PaymentMethodDeps,
  { userId, visit, encrypted }: Asking,
  requestKey: string,
): Promise<CardUpdate> {
  const sealedCard = deps.secrets.seal(encrypted)
  const begun = await transact(deps.db, async (trx) => {
    const update = await insertCardUpdate(trx, { userId, requestKey, sealedCard, askedAt: deps.clock.now() })
    if (!update) return undefined
    await requireUnblocked(trx, deps, [userId])
    // Counts cards rather than requests. Exceeding a limit rolls the update back.
    await countUse(trx, [{ key: `update-payment:account:${userId}`, times: 10, seconds: 3_600 }])
    await countCardAttempt(trx, {
      reference: update.reference,
      kind: 'card_update',
      iccid: null,
      payer: payerOf(deps.secrets, visit),
    })
    await audit(trx, deps.clock, {
      event: 'card_update_requested',
      userId,
      sessionId: visit.session.id,
      details: { reference: update.reference },
    })
    return update
  })
  if (begun) return resolveCardUpdate(deps, begun, { isFirst: true })
  const twin = await findCardUpdateByKey(deps.db, userId, requestKey)
  if (!twin) throw new Error('a card update was there and is not')
  return twin
}

const longestWaitMs = 10_000
const pollEveryMs = 200

async function waitForOutcome(deps: PaymentMethodDeps, update: CardUpdate, end: number): Promise<CardUpdate> {
  let now = update
  while (!isOver(now.state) && performance.now() < end) {
    await pause(pollEveryMs)
    const isOurs = await lease(deps.db, cardUpdateRetries, update.id)
    now = (await findCardUpdate(deps.db, update.id)) ?? now
    if (isOurs) now = await resolveCardUpdate(deps, now)
  }
  return now
}

async function outcomeOf(deps: PaymentMethodDeps, update: CardUpdate): Promise<CardToken | null> {
  if (!isOver(update.state)) return null
  const card = update.state === 'stored' ? await presentSavedCard(deps, update.user_id) : null
  if (card) return card
  if (update.refusal?.startsWith(`${faultOfOurs} `)) throw invalidForm(formMessages.server)
  const said = paymentMethodMessages[update.failure ?? 'unconfirmed']
  throw invalidForm(typeof said === 'string' ? said : said(deps.cardTypes))
}
