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
      ? 'Nothing is charged: the voucher is used up, and says which plan it is.'
      : plan && card && `${formatSum(fromWire(plan.price))} is charged to ${card.name} now.`
  const what = pay === 'voucher' ? 'It' : plan ? `${plan.title}, ${formatDays(plan.length)},` : 'It'
  return [
    ...(charged ? [charged] : []),
    isLater
      ? `${what} runs on ${number} from ${formatDate(present.ends, zone)}, when the present plan ends.`
      : `${what} runs on ${number} from now.`,
    ...(!isLater && !present.is_over ? [`What is left of ${present.title} is lost.`] : []),
    'The customer gets the invoice by mail, as if they had done it themselves.',
  ]
}

export const planName = ({ title, length, price }: RenewalPlan): string =>
  `${title}, ${formatDays(length)}: ${formatSum(fromWire(price))}`
