import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { lastFour } from '#kit/server/masks.ts'
import { presentNetwork } from '#desk/features/orders/server/network-rows.present.ts'
import { wordsOfKind } from '#desk/features/orders/server/order-words.present.ts'
import { presentPayments } from '#desk/features/orders/server/payment-rows.present.ts'
import type { EvidenceSection } from '../disputes.contract.ts'
import type { Disputed } from './evidence.view.ts'

type Row = EvidenceSection['rows'][number]

/** What says that the money was for something: of its customer no more than a bank has already, and no number in full. */
export const presentEvidence = (disputed: Disputed): EvidenceSection[] => [
  { title: 'The order', rows: orderRows(disputed), none: '' },
  { title: 'The payment', rows: paymentRows(disputed), none: 'Nothing was asked of the gateway.' },
  { title: 'Delivered at the network', rows: networkRows(disputed), none: 'Nothing was delivered.' },
  { title: 'Used since', rows: rowsOfUse(disputed), none: 'The network has told nothing of its use.' },
  { title: 'Messages about it', rows: messageRows(disputed), none: 'No message about it is kept.' },
  { title: 'The account', rows: accountRows(disputed), none: '' },
]

const iso = (at: Date): string => at.toISOString()

function orderRows({ whole: { order, documents } }: Disputed): Row[] {
  return [
    { at: iso(order.created_at), what: 'Ordered', said: `${order.product.title}, ${wordsOfKind(order)}` },
    ...(order.completed_at ? [{ at: iso(order.completed_at), what: 'Completed', said: order.order_code }] : []),
    ...documents.map(({ document_type: type, order_code: code, total_cents: cents, created_at: at }) => ({
      at: iso(at),
      what: type === 'invoice' ? 'Tax invoice' : 'Tax credit note',
      said: `${code}, ${formatSum(cents)}`,
    })),
  ]
}

const paymentRows = ({ whole }: Disputed): Row[] => [
  ...whole.attempts.flatMap(({ created_at: at, card }) =>
    card?.lastFour ? [{ at: iso(at), what: 'Card', said: lastFour(card.lastFour) }] : [],
  ),
  ...presentPayments(whole).map(({ at, what, said, psp_reference: psp, amount }) => ({
    at,
    what,
    said: [said, amount && formatSum(fromWire(amount)), psp].filter(Boolean).join(', '),
  })),
]

const networkRows = ({ whole, port }: Disputed): Row[] =>
  presentNetwork(whole, port).map(({ at, what, of, said, external_id: id }) => ({
    at,
    what,
    said: [of, said, id].filter(Boolean).join(', '),
  }))

const megabytes = (mb: number): string => (mb >= 1_000 ? `${(mb / 1_000).toFixed(1)} GB` : `${Math.round(mb)} MB`)

function rowsOfUse({ use: { cycles, left, service, laterOrders } }: Disputed): Row[] {
  return [
    ...(service
      ? [
          {
            at: iso(service.created_at),
            what: 'Number',
            said: `${lastFour(service.msisdn)}, SIM ${lastFour(service.iccid)}`,
          },
        ]
      : []),
    ...(service?.released_at ? [{ at: iso(service.released_at), what: 'Number given up', said: '' }] : []),
    ...cycles.map(({ starts_at: from, used_mb: used, ran_out_at: ranOut }) => ({
      at: iso(from),
      what: 'Data cycle',
      said:
        used === null
          ? 'it is not over, or the network has not said'
          : `${megabytes(used)} used${ranOut ? ', all of its data' : ''}`,
    })),
    ...(left
      ? [{ at: iso(left.at), what: 'Data left', said: `${megabytes(left.mb)} when the network was asked last` }]
      : []),
    ...(laterOrders > 0 ? [{ at: null, what: 'Bought since', said: `${laterOrders} more for the same number` }] : []),
  ]
}

const messageRows = ({ messages }: Disputed): Row[] =>
  messages.map(({ channel, subject, kind, sent_at: sent, refused_at: refused, created_at: made }) => ({
    at: iso(sent ?? refused ?? made),
    what: channel === 'email' ? 'Mail' : 'Text',
    said: `${subject || (kind ?? '').replaceAll('-', ' ')}: ${sent ? 'sent' : refused ? 'refused' : 'not sent'}`,
  }))

const accountRows = ({ use: { signIns } }: Disputed): Row[] => [
  {
    at: signIns ? iso(signIns.at) : null,
    what: 'Sign-ins since the order',
    said: signIns ? `${signIns.times}, this was the last` : 'none',
  },
]
