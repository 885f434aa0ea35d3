import { readUse } from '#kit/server/limits.ts'
import { pageOf, type Place } from '#kit/server/page.ts'
import { limitsOf } from '#features/auth/server/auth.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { countTries, triesInADay } from '#features/change-email/server/pin-tries.store.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { countSessions, listNumbers } from './customer.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { findAskedErasure, findErasure } from './erasures.store.ts'
import { listHappened } from './history.store.ts'
import { type Known, presentCustomer, presentHappened } from './customers.present.ts'

export const happenedAPage = 50

export async function showCustomer(deps: CustomersDeps, userId: string, before: Place | null) {
  const { db } = deps
  const user = await findUser(db, userId)
  if (!user) return null
  const happened = await listHappened(db, userId, { before, limit: happenedAPage + 1 })
  const page = pageOf(happened, happenedAPage)
  return {
    ...presentCustomer(await knownOf(deps, user)),
    history: page.rows.map(presentHappened),
    next: page.next,
  }
}

export async function knownOf(deps: CustomersDeps, user: User): Promise<Known> {
  const { db, accountParts } = deps
  return {
    user,
    phone: (await accountParts.phone(user.id))?.phone ?? null,
    card: (await findSavedCard(db, user.id)) ?? null,
    sessions: await countSessions(db, user.id),
    numbers: await listNumbers(db, user.id),
    limits: await usedLimits(deps, user),
    erasure: (await findErasure(db, user.id)) ?? null,
    asked: (await findAskedErasure(db, user.id)) ?? null,
  }
}

async function usedLimits({ db, clock, market }: CustomersDeps, user: User) {
  const used = []
  for (const { of, limit } of await limitsOf(db, user))
    used.push({ of, most: limit.times, ...(await readUse(db, limit)) })
  const day = clock.now().toZonedDateTimeISO(market.zone).toPlainDate()
  const until = new Date(day.add({ days: 1 }).toZonedDateTime(market.zone).epochMilliseconds)
  const tries = await countTries(db, user.id, day.toString())
  used.push({ of: 'wrong PINs for a new address', most: triesInADay, used: tries, until: tries > 0 ? until : null })
  return used.filter((one) => one.used > 0)
}
