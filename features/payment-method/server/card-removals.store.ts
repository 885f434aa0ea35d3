import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { type CardRemovalState, cardRemovalTransitions, isRemovalOver } from '../card-removals.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    card_removals: CardRemovalTable
  }
}

type CardRemovalTable = {
  id: string
  stored_id: string
  shopper_reference: string
  idempotency_key: string
  state: CardRemovalState
  refusal: string | null
  created_at: Date
  retry_at: Date | null
  tries: number
}
export type CardRemoval = Selectable<CardRemovalTable>

/** A card removal's lease must outlast the timeout of a gateway request. */
export const cardRemovalQueue: RetryQueue = {
  queue: 'payment-method.disable',
  table: 'card_removals',
  key: 'id',
  leaseSeconds: 10,
  countsFailures: true,
}

/** Inserts a card removal that is already leased to the caller, which must enqueue its job. */
export async function insertCardRemoval(
  trx: Trx,
  card: { storedId: string; shopperReference: string },
): Promise<{ id: string }> {
  const now = realNow()
  return trx
    .insertInto('card_removals')
    .values({
      id: randomUUID(),
      stored_id: card.storedId,
      shopper_reference: card.shopperReference,
      idempotency_key: randomUUID(),
      state: 'initiated',
      refusal: null,
      created_at: toDate(now),
      retry_at: toDate(now.add({ seconds: cardRemovalQueue.leaseSeconds })),
      tries: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

export const findCardRemoval = (db: Db, id: string): Promise<CardRemoval | undefined> =>
  db.selectFrom('card_removals').selectAll().where('id', '=', id).executeTakeFirst()

export const transitionCardRemoval = createStateTransition({
  table: 'card_removals',
  transitions: cardRemovalTransitions,
  asRead: ['id'],
  also: (to) => (isRemovalOver(to) ? { retry_at: null } : {}),
})
