import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceRow } from '#features/services/server/plan-life.store.ts'
import { getCardName } from './card.ts'
import { queueCustomerMail } from './auto-renewal-message.ts'
import { presentOfferRows } from './offer.present.ts'
import type { PlanStatus } from './plan-status.ts'

export async function notifyAutoRenewalEnabled(
  trx: Trx,
  deps: OrderDeps,
  service: Pick<ServiceRow, 'id' | 'user_id' | 'msisdn'>,
  planStatus: PlanStatus,
): Promise<void> {
  const number = formatNational(service.msisdn)
  const termRows = presentOfferRows(planStatus, deps).map(({ label, value, note }): [string, string] => [
    label,
    note ? `${value}, ${note}` : value,
  ])
  await queueCustomerMail(
    trx,
    deps,
    { service },
    {
      eventKey: `auto-renewal:on:${service.id}:${planStatus.now.toString()}`,
      subject: `Auto-renewal is on for ${number}`,
      heading: 'Auto-renewal is on',
      paragraphs: [
        `we will renew ${number} for you when ${planStatus.queued ? 'your next' : 'this'} plan ends.`,
        'We email you the exact amount before every charge. You can turn auto-renewal off any time up to the charge, at no cost: ' +
          'open your dashboard and choose Disable Auto Renewal in this Phone Number’s menu.',
      ],
      rows: [
        ['Phone number', number],
        ...termRows,
        ...(planStatus.card ? [['Card', getCardName(planStatus.card)] satisfies [string, string]] : []),
      ],
      button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${service.id}/` },
    },
  )
}
