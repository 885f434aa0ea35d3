import { readLimitUse } from '#kit/server/limits.ts'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import { listLockoutLimits } from '#features/auth/server/auth.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { readWrongPinCount, maxPinAttemptsPerDay } from '#features/change-email/server/pin-tries.store.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { countSessions, listNumbers } from './customer.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { findErasureRequest, findErasure } from './erasures.store.ts'
import { listHistoryEvents } from './history.store.ts'
import { type CustomerDetails, presentCustomer, presentHistoryEvent } from './customers.present.ts'

export const eventsPerPage = 50

export async function showCustomer(deps: CustomersDeps, userId: string, before: PagePosition | null) {
  const { db } = deps
  const user = await findUser(db, userId)
  if (!user) return null
  const historyEvents = await listHistoryEvents(db, userId, { before, limit: eventsPerPage + 1 })
  const page = paginateRows(historyEvents, eventsPerPage)
  return {
    ...presentCustomer(await readCustomerDetails(deps, user)),
    history: page.rows.map(presentHistoryEvent),
    next: page.next,
  }
}

export async function readCustomerDetails(deps: CustomersDeps, user: User): Promise<CustomerDetails> {
  const { db, accountParts } = deps
  return {
    user,
    phone: (await accountParts.phone(user.id))?.phone ?? null,
    card: (await findSavedCard(db, user.id)) ?? null,
    sessions: await countSessions(db, user.id),
    numbers: await listNumbers(db, user.id),
    limits: await listUsedLimits(deps, user),
    erasure: (await findErasure(db, user.id)) ?? null,
    asked: (await findErasureRequest(db, user.id)) ?? null,
  }
}

async function listUsedLimits({ db, clock, market }: CustomersDeps, user: User) {
  const used = []
  for (const { of, limit } of await listLockoutLimits(db, user))
    used.push({ of, most: limit.times, ...(await readLimitUse(db, limit)) })
  const day = clock.now().toZonedDateTimeISO(market.zone).toPlainDate()
  const limitResetAt = new Date(day.add({ days: 1 }).toZonedDateTime(market.zone).epochMilliseconds)
  const wrongPinCount = await readWrongPinCount(db, user.id, day.toString())
  used.push({
    of: 'wrong PINs for a new address',
    most: maxPinAttemptsPerDay,
    used: wrongPinCount,
    until: wrongPinCount > 0 ? limitResetAt : null,
  })
  return used.filter((usedLimit) => usedLimit.used > 0)
}
