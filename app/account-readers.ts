import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Value } from '#kit/server/combined-query.ts'
import {
  contactPhoneQueryPart,
  findContactPhone,
  pendingNumberQueryPart,
} from '#features/account/server/contact-phone.store.ts'
import type { PhoneView } from '#features/auth/auth.contract.ts'
import type { AccountOperations } from '#features/auth/server/auth.deps.ts'
import { accountQueryPart } from '#features/auth/server/users.store.ts'
import { createCustomerRead } from '#features/auth/server/visitor.store.ts'
import { presentCard, presentSavedCard } from '#features/payment-method/server/saved-card.ts'
import { savedCardQueryPart } from '#features/payment-method/server/saved-cards.store.ts'
import { endPendingRequests, reassignAccountData } from './accounts.ts'

export function createAccountReaders(deps: { db: Db; clock: Clock; market: Market }): AccountOperations {
  const { db, clock } = deps
  return {
    card: (userId) => presentSavedCard(deps, userId),
    phone: async (userId, trx) => presentPhone(await findContactPhone(trx ?? db, userId)),
    whole: createCustomerRead(accountQueries, ({ accounts: [account], cards: [card], phones, changes }) => {
      if (!account) return null
      return {
        account,
        card: card ? presentCard(deps, card) : null,
        phone: presentPhone(phones[0]?.msisdn ?? null),
        phoneChange: presentPhone(changes[0]?.msisdn ?? null),
      }
    }),
    reassignAll: reassignAccountData,
    endRequests: (trx, userId) => endPendingRequests(trx, userId, clock.now()),
  }
}

const accountQueries = (db: Db, userId: Value) => ({
  accounts: accountQueryPart(db, userId),
  cards: savedCardQueryPart(db, userId),
  phones: contactPhoneQueryPart(db, userId),
  changes: pendingNumberQueryPart(db, userId),
})

const presentPhone = (msisdn: string | null): PhoneView | null =>
  msisdn ? { phone: msisdn, phone_display: formatNational(msisdn) } : null
