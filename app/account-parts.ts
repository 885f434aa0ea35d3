import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Value } from '#kit/server/read-together.ts'
import { contactPhoneAsked, findContactPhone, phoneChangeAsked } from '#features/account/server/contact-phone.store.ts'
import type { PhoneView } from '#features/auth/auth.contract.ts'
import type { AccountParts } from '#features/auth/server/auth.deps.ts'
import { accountShown } from '#features/auth/server/users.store.ts'
import { customerRead } from '#features/auth/server/visitor.store.ts'
import { presentCard, presentSavedCard } from '#features/payment-method/server/saved-card.ts'
import { savedCardAsked } from '#features/payment-method/server/saved-cards.store.ts'
import { endRequests, reassignAll } from './accounts.ts'

export function accountParts(deps: { db: Db; clock: Clock; market: Market }): AccountParts {
  const { db, clock } = deps
  return {
    card: (userId) => presentSavedCard(deps, userId),
    phone: async (userId, trx) => presentPhone(await findContactPhone(trx ?? db, userId)),
    whole: customerRead(accountAndParts, ({ accounts: [account], cards: [card], phones, changes }) => {
      if (!account) return null
      return {
        account,
        card: card ? presentCard(deps, card) : null,
        phone: presentPhone(phones[0]?.msisdn ?? null),
        phoneChange: presentPhone(changes[0]?.msisdn ?? null),
      }
    }),
    reassignAll,
    endRequests: (trx, userId) => endRequests(trx, userId, clock.now()),
  }
}

const accountAndParts = (db: Db, userId: Value) => ({
  accounts: accountShown(db, userId),
  cards: savedCardAsked(db, userId),
  phones: contactPhoneAsked(db, userId),
  changes: phoneChangeAsked(db, userId),
})

const presentPhone = (msisdn: string | null): PhoneView | null =>
  msisdn ? { phone: msisdn, phone_display: formatNational(msisdn) } : null
