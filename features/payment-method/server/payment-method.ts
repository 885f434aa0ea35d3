import type { Trx } from '#kit/server/db.ts'
import type { CardDetails } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { endMatchingTasks, createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { insertCardRemoval, cardRemovalQueue } from './card-removals.store.ts'
import { type CardMailDeps, notifyCardSaved } from './payment-method.mail.ts'
import { findSavedCard, type SavedCard, saveCard } from './saved-cards.store.ts'

type CardToSave = {
  card: CardDetails & { shopperReference: string }
  at: Temporal.Instant
  /** Identifies the event that saved the card. The owner gets at most one email per event. */
  event: string
  /** `false` if the same event also created the account, because the welcome email already mentions the card. */
  notifyCustomer?: boolean
}

/**
 * Saves a card for later payments, unless the customer's saved card is newer. Notifies the owner if the card details
 * shown on the account have changed.
 */
export async function saveAndNotifyCard(
  trx: Trx,
  deps: CardMailDeps,
  userId: string,
  { card, at, event, notifyCustomer = true }: CardToSave,
): Promise<void> {
  const previousCard = (await findSavedCard(trx, userId)) ?? null
  await saveCard(trx, userId, card, at)
  const currentCard = await findSavedCard(trx, userId)
  // The customer now has a card, so close the operator task that says auto-renewal has none to charge.
  if (currentCard) await endMatchingTasks(trx, { kind: 'payment', subject: userId })
  const owner =
    notifyCustomer && currentCard && !isSameDisplayedCard(currentCard, previousCard)
      ? await findUser(trx, userId)
      : undefined
  if (currentCard && owner) await notifyCardSaved(trx, deps, owner, { event, before: previousCard, after: currentCard })
}

const isSameDisplayedCard = (displayedCard: SavedCard, otherCard: SavedCard | null): boolean =>
  displayedCard.card_type === otherCard?.card_type &&
  displayedCard.last_four === otherCard.last_four &&
  displayedCard.expiry === otherCard.expiry &&
  displayedCard.holder_name === otherCard.holder_name

export async function scheduleCardRemoval(
  trx: Trx,
  { jobs }: Pick<CardMailDeps, 'jobs'>,
  card: { storedId: string; shopperReference: string },
): Promise<string> {
  const { id } = await insertCardRemoval(trx, card)
  await jobs.send(trx, cardRemovalQueue, id)
  return id
}

const maxNetworkNameLength = 60

/** Creates one operator task per unknown card network. Cards from unknown networks are still accepted. */
export async function reportUnknownCardNetwork(trx: Trx, { network }: Pick<CardDetails, 'network'>): Promise<void> {
  if (!network || network.isKnown) return
  await createTask(trx, {
    kind: 'payment',
    subject: 'card gateway',
    reason:
      `the gateway names the card network “${network.name.slice(0, maxNetworkNameLength)}”, which the portal does not recognise: ` +
      'its payments go on, and its cards are shown as “Card”. If you do not want these cards, switch the network off ' +
      'in the gateway’s account (docs/adyen.md)',
  })
}

/**
 * The fields that we require in a gateway response: our name for the field, the gateway's name for it, and what goes
 * wrong without it.
 */
const requiredDetails = [
  [
    'network',
    'paymentMethod',
    'card types that are not accepted cannot be recognised, and receipts do not name the card',
  ],
  ['lastFour', 'cardSummary', 'receipts and saved cards show no last four digits'],
  ['expiry', 'expiryDate', 'customers are not reminded that a saved card will expire'],
  ['storedId', 'recurring.recurringDetailReference', 'no card is saved, and no plan renews automatically'],
] as const

/**
 * Creates an operator task for each gateway setting that leaves a required field out of payment responses. Ignores
 * fields that the response cannot contain: the stored ID of a card that was not to be stored, and every field of a card
 * that was already stored.
 */
export async function reportMissingDetails(
  trx: Trx,
  card: CardDetails,
  { store, stored_card_id: storedId }: { store: boolean; stored_card_id: string | null },
): Promise<void> {
  if (storedId !== null) return
  for (const [field, gatewayName, consequence] of requiredDetails)
    if ((card[field] ?? null) === null && (field !== 'storedId' || store))
      await createTask(trx, {
        kind: 'payment',
        subject: 'card gateway',
        reason: `the gateway’s account does not return ${gatewayName}: ${consequence} (docs/adyen.md)`,
      })
}
