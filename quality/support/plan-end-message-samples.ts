import { buildNoticeMessages, notifyPlanWithdrawn } from '#features/auto-renewal/server/auto-renewal.mail.ts'
import type { AutoRenewal } from '#features/auto-renewal/server/auto-renewal.store.ts'
import type { SavedCard } from '#features/auto-renewal/server/card.ts'
import { type FailedCharge, notifyChargeFailure } from '#features/auto-renewal/server/charge.mail.ts'
import type { PlanStatus } from '#features/auto-renewal/server/plan-status.ts'
import { findPlanStatus } from '#features/auto-renewal/server/plan-statuses.ts'
import * as planEnds from '#features/auto-renewal/server/plan-ends.mail.ts'
import { notifyAutoRenewalEnabled } from '#features/auto-renewal/server/auto-renewal-enabled.mail.ts'
import type { LockedAutoRenewal } from '#features/auto-renewal/server/locked-auto-renewal.ts'
import { queueMessages } from '#features/messages/server/messages.ts'
import type { MessageSample, Scene } from './render-messages.ts'

/** Returns the given hour on a day before the plan ends. `1` means the plan's last day. */
export const at = ({ schedule, deps }: Scene, days: number, hour: number): Temporal.Instant =>
  schedule.expiresAt.toZonedDateTimeISO(deps.market.zone).subtract({ days }).withPlainTime({ hour }).toInstant()

export async function requirePlanStatus(scene: Scene, now: Temporal.Instant): Promise<PlanStatus> {
  const { trx, deps, service } = scene
  const planStatus = await findPlanStatus(trx, deps, service, now)
  if (!planStatus) throw new Error('no outlook')
  return planStatus
}

const requireSavedCard = (outlook: PlanStatus): SavedCard => {
  if (!outlook.card) throw new Error('no card is saved')
  return outlook.card
}

export const createLockedAutoRenewal = ({ service, schedule }: Scene, now: Temporal.Instant): LockedAutoRenewal => {
  const autoRenewal: AutoRenewal = {
    service_id: service.id,
    enabled: true,
    step: 'charge',
    due_at: new Date(now.epochMilliseconds),
    attempts: 0,
    charge_order_id: null,
    notified_cents: null,
    notified_product_id: null,
    failure: null,
    failed_card: null,
  }
  return { service, schedule, autoRenewal, now }
}

const ends = (
  name: string,
  by: (typeof planEnds)['endReminder'],
  days: number,
  change: (outlook: PlanStatus) => Partial<PlanStatus> = () => ({}),
): MessageSample => ({
  name,
  by,
  async write(scene) {
    const outlook = await requirePlanStatus(scene, at(scene, days, 9))
    const { trx, deps, user, service, schedule } = scene
    const endingPlan = { user, service, schedule, outlook: { ...outlook, ...change(outlook) }, premise: 'sample' }
    await queueMessages(trx, deps, by(deps, endingPlan))
  },
})

const renewalNotice = (name: string, trouble: 'no-card' | 'card-expired' | null): MessageSample => ({
  name,
  by: buildNoticeMessages,
  async write(scene) {
    const now = at(scene, 3, 9)
    const outlook = await requirePlanStatus(scene, now)
    if (!outlook.offer) throw new Error('nothing to renew with')
    const card = trouble === 'no-card' ? null : requireSavedCard(outlook)
    const chargeAt = at(scene, 1, 9)
    const told = { user: scene.user, premise: 'sample', channel: 'both' } as const
    const notice = { offer: outlook.offer, chargeAt, card, trouble }
    await queueMessages(
      scene.trx,
      scene.deps,
      buildNoticeMessages(scene.deps, createLockedAutoRenewal(scene, now), told, notice),
    )
  },
})

const failedChargeSample = (
  name: string,
  failure: FailedCharge['failure'],
  [hour, next]: [number, number | null],
): MessageSample => ({
  name,
  by: notifyChargeFailure,
  async write(scene) {
    const now = failure === 'missed' ? scene.schedule.expiresAt.add({ minutes: 1 }) : at(scene, 1, hour)
    const card = failure === 'no-card' ? null : requireSavedCard(await requirePlanStatus(scene, now))
    await notifyChargeFailure(scene.trx, scene.deps, createLockedAutoRenewal(scene, now), {
      event: crypto.randomUUID(),
      failure,
      card,
      next: next === null ? null : at(scene, 1, next),
    })
  },
})

export const withQueuedPlan = ({ product, endsOn, today }: PlanStatus): Partial<PlanStatus> => ({
  queued: {
    product,
    lengthDays: 30,
    startsOn: endsOn,
    endsOn: endsOn.add({ days: 30 }),
    paidOn: today.subtract({ days: 5 }),
    byVoucher: false,
    orderCode: 'FT1111111111',
    paidCents: 10_965,
    canCancel: false,
  },
})

export const planEndSamples: readonly MessageSample[] = [
  ends('7 days left', planEnds.endReminder, 7),
  ends('3 days left', planEnds.endReminder, 3),
  ends('3 days left of a plan that is no longer sold', planEnds.endReminder, 3, () => ({ state: 'withdrawn' })),
  ends('last day', planEnds.endReminder, 1),
  ends('card expires before the charge', planEnds.createCardReminder, 7),
  ends('no card to charge', planEnds.createCardReminder, 7, () => ({ card: null })),
  ends('next plan starts tomorrow', planEnds.createNextPlanReminder, 1, withQueuedPlan),
  {
    name: 'auto-renewal is on',
    by: notifyAutoRenewalEnabled,
    async write(scene) {
      await notifyAutoRenewalEnabled(
        scene.trx,
        scene.deps,
        scene.service,
        await requirePlanStatus(scene, at(scene, 10, 12)),
      )
    },
  },
  renewalNotice('notice of the charge', null),
  renewalNotice('notice, card expires', 'card-expired'),
  renewalNotice('notice, no card', 'no-card'),
  {
    name: 'next plan withdrawn',
    by: notifyPlanWithdrawn,
    write: (scene) => notifyPlanWithdrawn(scene.trx, scene.deps, createLockedAutoRenewal(scene, at(scene, 3, 9))),
  },
  failedChargeSample('charge refused', 'refused', [9, 15]),
  failedChargeSample('charge without a card', 'no-card', [9, 15]),
  failedChargeSample('charge of an expired card', 'card-expired', [9, 15]),
  failedChargeSample('charge not confirmed', 'unconfirmed', [15, 21]),
  failedChargeSample('charge undone by the network', 'network', [9, 15]),
  failedChargeSample('charge refused for the last time', 'refused', [21, null]),
  failedChargeSample('charge missed', 'missed', [21, null]),
]
