import { formatDate } from '#kit/contract/dates.ts'
import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { formatDays } from '#kit/contract/plans.ts'
import type { RenewalOffer, RenewalPay, RenewalPlan } from '../renewals.contract.ts'

type About = {
  offer: RenewalOffer
  pay: RenewalPay
  plan: RenewalPlan | undefined
  isLater: boolean
  zone: string
}

export function chargeWords({ offer, pay, plan, isLater, zone }: About): string[] {
  const { plan: present, saved_card: card, number } = offer
  const charged =
    pay === 'voucher'
      ? 'Nothing is charged. The voucher decides the plan and is used up.'
      : plan && card && `${formatSum(fromWire(plan.price))} is charged to ${card.name} now.`
  const what = pay !== 'voucher' && plan ? `${plan.title}, ${formatDays(plan.length)},` : 'The new plan'
  return [
    ...(charged ? [charged] : []),
    isLater
      ? `${what} starts on ${number} on ${formatDate(present.ends, zone)}, when the current plan ends.`
      : `${what} starts on ${number} now.`,
    ...(!isLater && !present.is_over ? [`Whatever is left of ${present.title} is lost.`] : []),
    'The customer gets the invoice by email, as for their own renewals.',
  ]
}

export const planName = ({ title, length, price }: RenewalPlan): string =>
  `${title}, ${formatDays(length)}: ${formatSum(fromWire(price))}`
