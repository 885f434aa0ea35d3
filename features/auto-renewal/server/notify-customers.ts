import type { Trx } from '#kit/server/db.ts'
import { findPlanEndChannels } from '#features/alerts/server/alerts.store.ts'
import { findUsers } from '#features/auth/server/users.store.ts'
import { queueMessages } from '#features/messages/server/messages.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { buildNoticeMessages } from './auto-renewal.mail.ts'
import { scheduleNotifiedCharges } from './steps.store.ts'
import type { ChargeNotice } from './decide-step.ts'
import { computeSendConditions } from './send-condition.ts'
import type { StepDeps } from './step-facts.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

/** Notifies customers of their next charge, which makes the announced amount and product binding. */
export async function notifyCustomers(
  trx: Trx,
  deps: StepDeps,
  notices: readonly ({ locked: LockedAutoRenewal } & ChargeNotice)[],
): Promise<void> {
  if (notices.length === 0) return
  const services = notices.map(({ locked }) => locked.service)
  const [serviceIds, userIds] = [services.map(({ id }) => id), services.map((service) => service.user_id)]
  await scheduleNotifiedCharges(
    trx,
    notices.map(({ locked, next, offer }) => ({
      serviceId: locked.service.id,
      next,
      cents: offer.amountCents,
      productId: offer.product.unique_id,
    })),
  )
  const userIdsWithCardProblem = notices.filter(({ trouble }) => trouble).map(({ locked }) => locked.service.user_id)
  // Sort the customers' ids, so that two transactions that report the same customers cannot deadlock.
  for (const userId of [...new Set(userIdsWithCardProblem)].toSorted()) await reportUnconfirmedCard(trx, userId)
  const users = await findUsers(trx, userIds)
  const channelByService = await findPlanEndChannels(trx, serviceIds)
  // Compute the send conditions after scheduling the charges, because scheduling changes the state that they describe.
  const sendConditions = await computeSendConditions(trx, deps, services, notices[0]!.locked.now)
  const outboxMessages = notices.flatMap(({ locked, next, ...notice }) => {
    const { id, user_id: userId } = locked.service
    const user = users.get(userId)
    if (!user) throw new Error('a service without a customer')
    const recipient = { user, premise: sendConditions.get(id) ?? null, channel: channelByService(id) }
    return buildNoticeMessages(deps, locked, recipient, { ...notice, chargeAt: next.dueAt })
  })
  await queueMessages(trx, deps, outboxMessages)
}
