import type { Trx } from '#kit/server/db.ts'
import { findPlanEndChannels } from '#features/alerts/server/alerts.store.ts'
import { findUsers } from '#features/auth/server/users.store.ts'
import { queueLetters } from '#features/messages/server/messages.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { noticeLetters } from './auto-renewal.mail.ts'
import { scheduleNotified } from './steps.store.ts'
import type { Notice } from './decide-step.ts'
import { premisesOf } from './premise.ts'
import type { StepDeps } from './step-facts.ts'
import type { LockedAutoRenewal } from './turn.ts'

/** Notifies customers of their next charge. From then on, the announced amount and product are binding. */
export async function notify(
  trx: Trx,
  deps: StepDeps,
  notices: readonly ({ locked: LockedAutoRenewal } & Notice)[],
): Promise<void> {
  if (notices.length === 0) return
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
  // Sorted, so that two transactions that report the same customers cannot deadlock.
  for (const userId of [...new Set(inTrouble)].toSorted()) await reportUnconfirmedCard(trx, userId)
  const users = await findUsers(trx, userIds)
  const channelOf = await findPlanEndChannels(trx, ids)
  // Computed after the steps are scheduled, so that the send condition describes the state after the notice.
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
