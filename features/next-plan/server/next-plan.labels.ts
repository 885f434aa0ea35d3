import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { getLastDayBefore } from '#kit/server/relative-day.ts'

export type RefundDetails =
  | { by: 'card'; card: string; paidCents: number; leftCents: number }
  | { by: 'voucher'; expiresAt: Temporal.Instant; isVoid: boolean }

type RunningPlan = { expiresAt: Temporal.Instant; isRenewing: boolean }

type DateContext = { now: Temporal.Instant; zone: string }

export function describeRefund(back: RefundDetails, { now, zone }: DateContext): string {
  if (back.by === 'voucher') {
    const day = formatDate(back.expiresAt, zone)
    if (back.isVoid) return 'Your voucher is no longer valid, so its code can’t be used again.'
    return Temporal.Instant.compare(back.expiresAt, now) <= 0
      ? `Your voucher expired on ${day}, so its code can’t be used again.`
      : `Your voucher code works again. It expires on ${day}, as before.`
  }
  const { card, paidCents, leftCents } = back
  if (leftCents === 0)
    return `There’s nothing left to refund. The ${formatPrice(paidCents)} you paid has already been refunded, or is on its way to you.`
  const alreadyRefundedSentence =
    leftCents < paidCents
      ? ` The rest of the ${formatPrice(paidCents)} you paid has already been refunded, or is on its way to you.`
      : ''
  return `We’ll refund **${formatPrice(leftCents)}** to ${card}, usually within 5 working days.${alreadyRefundedSentence}`
}

export function describeRunningPlan({ expiresAt, isRenewing }: RunningPlan, { now, zone }: DateContext): string {
  const day = formatDate(expiresAt, zone)
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return `Your plan expired on ${day}.`
  return isRenewing
    ? `Auto-renewal is on, so your plan renews automatically on ${day}. We’ll email you the amount before we charge it.`
    : `Your plan then expires on ${day}; the last day is **${formatDate(getLastDayBefore(expiresAt, zone).toString(), zone)}**.`
}

export const autoRenewalOffMessage = 'Auto-renewal is off, so we won’t charge your card again unless you enable it.'

export const describeReplacementPlan = (
  { title, lengthDays, startsAt }: { title: string; lengthDays: number; startsAt: Temporal.Instant },
  { zone }: Pick<DateContext, 'zone'>,
): string => `Your next plan is now the ${title} (${lengthDays} days). It starts on ${formatDate(startsAt, zone)}.`

/** Removes the `**` emphasis marks, which emails do not support. */
export const removeEmphasis = (text: string): string => text.replaceAll('**', '')
