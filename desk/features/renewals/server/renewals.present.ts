import { formatCardName } from '#kit/contract/card-types.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { maskAllButLastFour } from '#kit/server/masks.ts'
import type { RenewalOffer } from '../renewals.contract.ts'
import type { findRenewalOffer } from './renewals.ts'

type Offer = Awaited<ReturnType<typeof findRenewalOffer>>

export const presentOffer = ({ service, schedule, isOver, queued, card, plans }: Offer): RenewalOffer => ({
  number: formatNational(service.msisdn),
  plan: {
    id: schedule.productId,
    title: schedule.title,
    ends: schedule.expiresAt.toString(),
    is_over: isOver,
  },
  next: queued && { title: queued.title, starts: queued.startsAt.toString() },
  saved_card: card
    ? { name: `${formatCardName(card.card_type, null)} ${maskAllButLastFour(card.last_four)}`, expiry: card.expiry }
    : null,
  plans: plans.map(({ unique_id, title, length_days, price_cents }) => ({
    id: unique_id,
    title,
    length: length_days,
    price: centsToDecimal(price_cents),
  })),
})
