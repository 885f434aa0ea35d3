import type { Trx } from '#kit/server/db.ts'
import { findPlanEndChannels } from '#features/alerts/server/alerts.store.ts'
import { findUsers } from '#features/auth/server/users.store.ts'
import { queueLetters } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { noticeLetters } from './auto-renewal.mail.ts'
import { scheduleNotified } from './steps.store.ts'
import { type DueStep, firstCharge } from './auto-renewal.times.ts'
import { type CardTrouble, type SavedCard, troubleOf } from './card.ts'
import type { Offer } from './offer.ts'
import { premisesOf } from './premise.ts'
import { cardsOf, findRenewable, type StepDeps } from './renewable.ts'
import type { LockedAutoRenewal } from './turn.ts'

/** A plan that renews as it is to: what it renews with, when that is charged, and to which card. */
type Notice = {
  locked: LockedAutoRenewal
  offer: Offer
  next: DueStep
  card: SavedCard | null
  trouble: CardTrouble | null
}

/**
 * Tells customers what will be charged, which binds from now on: as many as they are in so many statements. Answers those of which
 * there is something else to do than that.
 */
export async function giveNotices(
  trx: Trx,
  deps: StepDeps,
  due: readonly LockedAutoRenewal[],
): Promise<LockedAutoRenewal[]> {
  const offers = await findRenewable(trx, deps, due, 'notice')
  if (offers.size > 0) await notify(trx, deps, offers)
  return due.filter((each) => !offers.has(each))
}

async function noticesOf(trx: Trx, { market }: OrderDeps, offers: Map<LockedAutoRenewal, Offer>): Promise<Notice[]> {
  const cards = await cardsOf(trx, offers)
  return [...offers].map(([locked, offer]) => {
    const card = cards.get(locked.service.user_id) ?? null
    const next = firstCharge(locked.now, locked.schedule.expiresAt, market.zone)
    return { locked, offer, next, card, trouble: troubleOf(card, next.dueAt, market.zone) }
  })
}

/** Tells of these offers, of which there is one at least. */
export async function notify(trx: Trx, deps: OrderDeps, offers: Map<LockedAutoRenewal, Offer>): Promise<void> {
  const notices = await noticesOf(trx, deps, offers)
  const services = notices.map(({ locked }) => locked.service)
  const [ids, userIds] = [services.map(({ id }) => id), services.map((service) => service.user_id)]
  await scheduleNotified(
    trx,
    notices.map(({ locked, next, offer }) => ({
      serviceId: locked.service.id,
      next,
      cents: offer.amountCents,
      productId: offer.product.unique_id,
    })),
  )
  const inTrouble = notices.filter(({ trouble }) => trouble).map(({ locked }) => locked.service.user_id)
  // In one order, so that no two who report the same wait for each other.
  for (const userId of [...new Set(inTrouble)].toSorted()) await reportUnconfirmedCard(trx, userId)
  const users = await findUsers(trx, userIds)
  const channelOf = await findPlanEndChannels(trx, ids)
  // As it is once they have been told.
  const premises = await premisesOf(trx, deps, services, notices[0]!.locked.now)
  const letters = notices.flatMap(({ locked, next, ...notice }) => {
    const { id, user_id: userId } = locked.service
    const user = users.get(userId)
    if (!user) throw new Error('a service without a customer')
    const told = { user, premise: premises.get(id) ?? null, channel: channelOf(id) }
    return noticeLetters(deps, locked, told, { ...notice, chargeAt: next.dueAt })
  })
  await queueLetters(trx, deps, letters)
}
