import { formatDate } from '#kit/contract/dates.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatDays } from '#kit/contract/plans.ts'
import type { RenewalOffer, RenewalPaymentSource, RenewalPlan } from '../renewals.contract.ts'

type ChargeContext = {
  offer: RenewalOffer
  pay: RenewalPaymentSource
  plan: RenewalPlan | undefined
  isLater: boolean
  zone: string
}

export function buildChargeSentences({ offer, pay, plan, isLater, zone }: ChargeContext): string[] {
  const { plan: present, saved_card: card, number } = offer
  const chargeNote =
    pay === 'voucher'
      ? 'Nothing is charged. The voucher determines the plan and is used up.'
      : plan && card && `${formatPriceWithCommas(decimalToCents(plan.price))} is charged to ${card.name} now.`
  const newPlanLabel = pay !== 'voucher' && plan ? `${plan.title}, ${formatDays(plan.length)},` : 'The new plan'
  return [
    ...(chargeNote ? [chargeNote] : []),
    isLater
      ? `${newPlanLabel} starts on ${number} on ${formatDate(present.ends, zone)}, when the current plan ends.`
      : `${newPlanLabel} starts on ${number} now.`,
    ...(!isLater && !present.is_over ? [`Anything left on ${present.title} is lost.`] : []),
    'The customer gets the invoice by email, just as when they renew in the portal.',
  ]
}

export const planName = ({ title, length, price }: RenewalPlan): string =>
  `${title}, ${formatDays(length)}: ${formatPriceWithCommas(decimalToCents(price))}`
