import { formatCardName } from '#kit/contract/card-types.ts'
import type { Trx } from '#kit/server/db.ts'
import { callSupportText, buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import { joinPhoneNumbers } from '../payment-method.contract.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import type { SavedCard } from './saved-cards.store.ts'

type Owner = { id: string; email: string; first_name: string }
type DisplayedCard = Pick<SavedCard, 'card_type' | 'last_four'>

export type CardMailDeps = Pick<
  PaymentMethodDeps,
  'clock' | 'jobs' | 'secrets' | 'brandName' | 'colours' | 'help' | 'market' | 'publicUrl'
>

const cardLabel = ({ card_type, last_four }: DisplayedCard): string => formatCardName(card_type, last_four)

const securityAdviceSentence = (deps: CardMailDeps): string =>
  `If this wasn’t you, change your password and ${callSupportText(deps)}.`

export const notifyCardSaved = (
  trx: Trx,
  deps: CardMailDeps,
  owner: Owner,
  { event, before, after }: { event: string; before: DisplayedCard | null; after: DisplayedCard },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `card-saved:${event}`,
    to: owner,
    subject: before ? 'Your saved card has changed' : 'A card was saved to your account',
    heading: before ? 'Your saved card has changed' : 'Card saved',
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, your ${cardLabel(after)} is now saved in your ${deps.brandName} account` +
        `${before ? `, replacing your ${cardLabel(before)}` : ''}. It can pay for your next renewal or Add-On, ` +
        'and it pays for auto-renewal where that’s on.',
      `You can change or remove it in your account at any time. ${securityAdviceSentence(deps)}`,
    ],
    rows: [],
    button: savedCardLink(deps),
  })

export const notifyCardRemoved = (
  trx: Trx,
  deps: CardMailDeps,
  owner: Owner,
  { event, card, renewing }: { event: string; card: DisplayedCard; renewing: string[] },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `card-removed:${event}`,
    to: owner,
    subject: 'Your saved card was removed',
    heading: 'Card removed',
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, your ${cardLabel(card)} is no longer saved in your ${deps.brandName} account.`,
      ...(renewing.length > 0
        ? [
            `Auto-renewal is on for ${joinPhoneNumbers(renewing)}, but there is no card to charge now. ` +
              'Add a card, or renew yourself, to keep using your Phone Number after your Prepay Plan ends.',
          ]
        : []),
      securityAdviceSentence(deps),
    ],
    rows: [],
    button: savedCardLink(deps),
  })

const savedCardLink = ({ publicUrl }: CardMailDeps) => ({
  text: 'See my payment method',
  url: `${publicUrl}/account/payment-method/`,
})
