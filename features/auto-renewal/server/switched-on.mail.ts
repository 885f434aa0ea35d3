import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceRow } from '#features/services/server/plan-life.store.ts'
import { nameOfCard } from './card.ts'
import { sendLetter } from './letter.ts'
import { termsOf } from './offer.present.ts'
import type { Outlook } from './outlook.ts'

export async function sendSwitchedOn(
  trx: Trx,
  deps: OrderDeps,
  service: Pick<ServiceRow, 'id' | 'user_id' | 'msisdn'>,
  outlook: Outlook,
): Promise<void> {
  const number = formatNational(service.msisdn)
  const terms = termsOf(outlook, deps).map(({ label, value, note }): [string, string] => [
    label,
    note ? `${value}, ${note}` : value,
  ])
  await sendLetter(
    trx,
    deps,
    { service },
    {
      eventKey: `auto-renewal:on:${service.id}:${outlook.now.toString()}`,
      subject: `Auto-renewal is on for ${number}`,
      heading: 'Auto-renewal is on',
      paragraphs: [
        `we will renew ${number} for you when ${outlook.queued ? 'your next' : 'this'} plan ends.`,
        'We email you the exact amount before every charge. You can turn auto-renewal off any time up to the charge, at no ' +
          'cost: open your dashboard and choose Disable Auto Renewal in this Phone Number’s menu.',
      ],
      rows: [
        ['Phone number', number],
        ...terms,
        ...(outlook.card ? [['Card', nameOfCard(outlook.card)] satisfies [string, string]] : []),
      ],
      button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${service.id}/` },
    },
  )
}
