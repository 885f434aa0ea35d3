import { noticeLetters, sendWithdrawn } from '#features/auto-renewal/server/auto-renewal.mail.ts'
import type { AutoRenewal } from '#features/auto-renewal/server/auto-renewal.store.ts'
import type { SavedCard } from '#features/auto-renewal/server/card.ts'
import { type FailedCharge, sendFailure } from '#features/auto-renewal/server/charge.mail.ts'
import type { Outlook } from '#features/auto-renewal/server/outlook.ts'
import { findOutlook } from '#features/auto-renewal/server/outlooks.ts'
import * as planEnds from '#features/auto-renewal/server/plan-ends.mail.ts'
import { sendSwitchedOn } from '#features/auto-renewal/server/switched-on.mail.ts'
import type { LockedAutoRenewal } from '#features/auto-renewal/server/turn.ts'
import { queueLetters } from '#features/messages/server/messages.ts'
import type { Sample, Scene } from './messages.ts'

/** An hour so many days before the end. The last day is 1. */
const at = ({ schedule, deps }: Scene, days: number, hour: number): Temporal.Instant =>
  schedule.expiresAt.toZonedDateTimeISO(deps.market.zone).subtract({ days }).withPlainTime({ hour }).toInstant()

async function outlookAt(scene: Scene, now: Temporal.Instant): Promise<Outlook> {
  const { trx, deps, service } = scene
  const outlook = await findOutlook(trx, deps, service, now)
  if (!outlook) throw new Error('no outlook')
  return outlook
}

const cardOf = (outlook: Outlook): SavedCard => {
  if (!outlook.card) throw new Error('no card is saved')
  return outlook.card
}

const lockedAt = ({ service, schedule }: Scene, now: Temporal.Instant): LockedAutoRenewal => {
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
  change: (outlook: Outlook) => Partial<Outlook> = () => ({}),
): Sample => ({
  name,
  by,
  async write(scene) {
    const outlook = await outlookAt(scene, at(scene, days, 9))
    const { trx, deps, user, service, schedule } = scene
    const ending = { user, service, schedule, outlook: { ...outlook, ...change(outlook) }, premise: 'sample' }
    await queueLetters(trx, deps, by(deps, ending))
  },
})

const notice = (name: string, trouble: 'no-card' | 'card-expired' | null): Sample => ({
  name,
  by: noticeLetters,
  async write(scene) {
    const now = at(scene, 3, 9)
    const outlook = await outlookAt(scene, now)
    if (!outlook.offer) throw new Error('nothing to renew with')
    const card = trouble === 'no-card' ? null : cardOf(outlook)
    const chargeAt = at(scene, 1, 9)
    const told = { user: scene.user, premise: 'sample', channel: 'both' } as const
    const notice = { offer: outlook.offer, chargeAt, card, trouble }
    await queueLetters(scene.trx, scene.deps, noticeLetters(scene.deps, lockedAt(scene, now), told, notice))
  },
})

const failed = (name: string, failure: FailedCharge['failure'], [hour, next]: [number, number | null]): Sample => ({
  name,
  by: sendFailure,
  async write(scene) {
    const now = failure === 'missed' ? scene.schedule.expiresAt.add({ minutes: 1 }) : at(scene, 1, hour)
    const card = failure === 'no-card' ? null : cardOf(await outlookAt(scene, now))
    await sendFailure(scene.trx, scene.deps, lockedAt(scene, now), {
      event: crypto.randomUUID(),
      failure,
      card,
      next: next === null ? null : at(scene, 1, next),
    })
  },
})

const waiting = ({ product, endsOn, today }: Outlook): Partial<Outlook> => ({
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

export const endSamples: readonly Sample[] = [
  ends('7 days left', planEnds.endReminder, 7),
  ends('3 days left', planEnds.endReminder, 3),
  ends('3 days left of a plan that is no longer sold', planEnds.endReminder, 3, () => ({ state: 'withdrawn' })),
  ends('last day', planEnds.endReminder, 1),
  ends('card expires before the charge', planEnds.cardReminder, 7),
  ends('no card to charge', planEnds.cardReminder, 7, () => ({ card: null })),
  ends('next plan starts tomorrow', planEnds.nextPlanReminder, 1, waiting),
  {
    name: 'auto-renewal is on',
    by: sendSwitchedOn,
    async write(scene) {
      await sendSwitchedOn(scene.trx, scene.deps, scene.service, await outlookAt(scene, at(scene, 10, 12)))
    },
  },
  notice('notice of the charge', null),
  notice('notice, card expires', 'card-expired'),
  notice('notice, no card', 'no-card'),
  {
    name: 'next plan withdrawn',
    by: sendWithdrawn,
    write: (scene) => sendWithdrawn(scene.trx, scene.deps, lockedAt(scene, at(scene, 3, 9))),
  },
  failed('charge refused', 'refused', [9, 15]),
  failed('charge without a card', 'no-card', [9, 15]),
  failed('charge of an expired card', 'card-expired', [9, 15]),
  failed('charge not confirmed', 'unconfirmed', [15, 21]),
  failed('charge undone by the network', 'network', [9, 15]),
  failed('charge refused for the last time', 'refused', [21, null]),
  failed('charge missed', 'missed', [21, null]),
]
