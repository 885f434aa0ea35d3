import type { Trx } from '#kit/server/db.ts'
import type { CardDetails } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { endTasksAbout, reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { insertCardRemoval, cardRemovalRetries } from './card-removals.store.ts'
import { type CardMailDeps, tellOfSavedCard } from './payment-method.mail.ts'
import { findSavedCard, type SavedCard, saveCard } from './saved-cards.store.ts'

/** A card of the gateway's that is to be kept. */
type Kept = {
  card: CardDetails & { shopperReference: string }
  at: Temporal.Instant
  /** Names what it was saved by: one mail for each. */
  event: string
  /** Whose account was made by the same event is told of it by a mail of that. */
  isTold?: boolean
}

/** Keeps a card for later payments, unless it is older than the one that is there, and tells its owner if that is another now. */
export async function keepCard(
  trx: Trx,
  deps: CardMailDeps,
  userId: string,
  { card, at, event, isTold = true }: Kept,
): Promise<void> {
  const before = (await findSavedCard(trx, userId)) ?? null
  await saveCard(trx, userId, card, at)
  const after = await findSavedCard(trx, userId)
  // That there was none for auto-renewal.
  if (after) await endTasksAbout(trx, { kind: 'payment', subject: userId })
  const owner = isTold && after && !looksLike(after, before) ? await findUser(trx, userId) : undefined
  if (after && owner) await tellOfSavedCard(trx, deps, owner, { event, before, after })
}

/** The same card in other eyes than the gateway's. */
const looksLike = (one: SavedCard, other: SavedCard | null): boolean =>
  one.card_type === other?.card_type &&
  one.last_four === other.last_four &&
  one.expiry === other.expiry &&
  one.holder_name === other.holder_name

/** Has the gateway keep a card no longer: the intent is committed with the caller's transaction, and then the call leaves. */
export async function forgetCard(
  trx: Trx,
  { jobs }: Pick<CardMailDeps, 'jobs'>,
  card: { storedId: string; shopperReference: string },
): Promise<string> {
  const { id } = await insertCardRemoval(trx, card)
  await jobs.send(trx, cardRemovalRetries, id)
  return id
}

const maxNetworkName = 60

/** Makes one task for each name of a card network that the product does not know. Cards of that network are accepted. */
export async function reportUnknownNetwork(trx: Trx, { network }: Pick<CardDetails, 'network'>): Promise<void> {
  if (!network || network.isKnown) return
  await reportToOperator(trx, {
    kind: 'payment',
    subject: 'card gateway',
    reason:
      `the gateway names the card network “${network.name.slice(0, maxNetworkName)}”, which this product does not know: ` +
      'its payments go on, and its cards are shown as “Card”. If you do not want these cards, switch the network off ' +
      'in the gateway’s account (docs/adyen.md)',
  })
}

/** What an answer must have, what the gateway calls it, and what does not work without it. */
const needed = [
  ['network', 'paymentMethod', 'types of card that are not taken cannot be told, and receipts do not name the card'],
  ['lastFour', 'cardSummary', 'receipts and saved cards show no last four digits'],
  ['expiry', 'expiryDate', 'nobody is reminded of a saved card that expires'],
  ['storedId', 'recurring.recurringDetailReference', 'no card is saved, and nothing renews by itself'],
] as const

/**
 * Has a person look at the gateway's account, once for each of its settings, when the answer to a payment lacks what a setting has it
 * return. What the answer cannot have is not asked of it: a card that was not to be stored, and one that is stored already.
 */
export async function reportMissingDetails(
  trx: Trx,
  card: CardDetails,
  { store, stored_card_id: storedId }: { store: boolean; stored_card_id: string | null },
): Promise<void> {
  if (storedId !== null) return
  for (const [field, name, without] of needed)
    if ((card[field] ?? null) === null && (field !== 'storedId' || store))
      await reportToOperator(trx, {
        kind: 'payment',
        subject: 'card gateway',
        reason: `the gateway’s account does not return ${name}: ${without} (docs/adyen.md)`,
      })
}
