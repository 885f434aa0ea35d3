import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { maskAllButLastFour } from '#kit/server/masks.ts'
import { presentNetwork } from '#desk/features/orders/server/network-rows.present.ts'
import { orderTypeLabel } from '#desk/features/orders/server/order.labels.ts'
import { presentPayments } from '#desk/features/orders/server/payment-rows.present.ts'
import type { EvidenceSection } from '#desk/features/money/disputes.contract.ts'
import { sql } from 'kysely'
import { countAuditEvents } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type Dispute, findDisputeByReference } from '#features/disputes/server/disputes.store.ts'
import { findOrderCodes } from '#features/orders/server/orders.store.ts'
import { type DeskOrderRecord, readDeskOrder } from '#desk/features/orders/server/desk-order.view.ts'

type Row = EvidenceSection['rows'][number]

/**
 * Returns evidence that the payment was for a genuine purchase. For privacy, it tells the bank nothing new about the
 * customer and shows no phone, SIM or card number in full.
 */
export const presentEvidence = (disputed: DisputeEvidence): EvidenceSection[] => [
  { title: 'The order', rows: createOrderRows(disputed), none: '' },
  { title: 'The payment', rows: paymentRows(disputed), none: 'No requests to the gateway.' },
  { title: 'Delivered by the network', rows: networkRows(disputed), none: 'Nothing was delivered.' },
  { title: 'Usage since the order', rows: usageRows(disputed), none: 'No usage reported by the network.' },
  { title: 'Messages about the order', rows: messageRows(disputed), none: 'No messages on file.' },
  { title: 'The account', rows: accountRows(disputed), none: '' },
]

const iso = (at: Date): string => at.toISOString()

function createOrderRows({ whole: { order, documents } }: DisputeEvidence): Row[] {
  return [
    { at: iso(order.created_at), what: 'Ordered', said: `${order.product.title}, ${orderTypeLabel(order)}` },
    ...(order.completed_at ? [{ at: iso(order.completed_at), what: 'Completed', said: order.order_code }] : []),
    ...documents.map(({ document_type: type, order_code: code, total_cents: cents, created_at: at }) => ({
      at: iso(at),
      what: type === 'invoice' ? 'Tax invoice' : 'Tax credit note',
      said: `${code}, ${formatPriceWithCommas(cents)}`,
    })),
  ]
}

const paymentRows = ({ whole }: DisputeEvidence): Row[] => [
  ...whole.attempts.flatMap(({ created_at: at, card }) =>
    card?.lastFour ? [{ at: iso(at), what: 'Card', said: maskAllButLastFour(card.lastFour) }] : [],
  ),
  ...presentPayments(whole).map(({ at, what, said, psp_reference: psp, amount }) => ({
    at,
    what,
    said: [said, amount && formatPriceWithCommas(decimalToCents(amount)), psp].filter(Boolean).join(', '),
  })),
]

const networkRows = ({ whole, port }: DisputeEvidence): Row[] =>
  presentNetwork(whole, port).map(({ at, what, of, said, external_id: id }) => ({
    at,
    what,
    said: [of, said, id].filter(Boolean).join(', '),
  }))

const formatDataAmount = (mb: number): string =>
  mb >= 1_000 ? `${(mb / 1_000).toFixed(1)} GB` : `${Math.round(mb)} MB`

function usageRows({ use: { cycles, left, service, laterOrders } }: DisputeEvidence): Row[] {
  return [
    ...(service
      ? [
          {
            at: iso(service.created_at),
            what: 'Number',
            said: `${maskAllButLastFour(service.msisdn)}, SIM ${maskAllButLastFour(service.iccid)}`,
          },
        ]
      : []),
    ...(service?.released_at ? [{ at: iso(service.released_at), what: 'Number released', said: '' }] : []),
    ...cycles.map(({ starts_at: from, used_mb: used, ran_out_at: ranOut }) => ({
      at: iso(from),
      what: 'Data cycle',
      said:
        used === null
          ? 'still running, or not reported by the network'
          : `${formatDataAmount(used)} used${ranOut ? ', the whole allowance' : ''}`,
    })),
    ...(left
      ? [{ at: iso(left.at), what: 'Data left', said: `${formatDataAmount(left.mb)}, as last reported by the network` }]
      : []),
    ...(laterOrders > 0 ? [{ at: null, what: 'Later orders', said: `${laterOrders} for the same number` }] : []),
  ]
}

const messageRows = ({ messages }: DisputeEvidence): Row[] =>
  messages.map(({ channel, subject, kind, sent_at: sent, refused_at: refused, created_at: made }) => ({
    at: iso(sent ?? refused ?? made),
    what: channel === 'email' ? 'Email' : 'Text',
    said: `${subject || (kind ?? '').replaceAll('-', ' ')}: ${sent ? 'sent' : refused ? 'refused' : 'not sent'}`,
  }))

const accountRows = ({ use: { signIns } }: DisputeEvidence): Row[] => [
  {
    at: signIns ? iso(signIns.at) : null,
    what: 'Sign-ins since the order',
    said: signIns ? `${signIns.times}; the time shown is for the latest one` : 'none',
  },
]

export type DisputeEvidence = DeskOrderRecord & { dispute: Dispute; use: UsageSinceOrder }

/** How the service has been used since the order. For privacy, this contains no message texts and no called numbers. */
type UsageSinceOrder = {
  service: { iccid: string; msisdn: string; created_at: Date; released_at: Date | null } | null
  cycles: { starts_at: Date; ends_at: Date; used_mb: number | null; ran_out_at: Date | null }[]
  left: { mb: number; at: Date } | null
  laterOrders: number
  signIns: { times: number; at: Date } | null
}

const maxSignIns = 1_000

export async function readDisputeEvidence(db: Db, reference: string): Promise<DisputeEvidence | null> {
  const dispute = await findDisputeByReference(db, reference)
  const code = dispute && (await findOrderCodes(db, [dispute.order_id])).get(dispute.order_id)
  const order = code ? await readDeskOrder(db, code) : null
  return dispute && order ? { ...order, dispute, use: await readUsageSinceOrder(db, order.whole.order) } : null
}

async function readUsageSinceOrder(db: Db, order: DeskOrderRecord['whole']['order']): Promise<UsageSinceOrder> {
  const { service_id: serviceId, user_id: userId, created_at: since, completed_at: delivered } = order
  const signIns = userId
    ? await countAuditEvents(db, userId, 'login', { since: fromDate(since), most: maxSignIns })
    : null
  if (!serviceId) return { service: null, cycles: [], left: null, laterOrders: 0, signIns }
  const service = await db
    .selectFrom('services')
    .select(['iccid', 'msisdn', 'created_at', 'released_at'])
    .where('id', '=', serviceId)
    .executeTakeFirst()
  const cycles = await db
    .selectFrom('cycle_usage')
    .select(['starts_at', 'ends_at', 'used_mb', 'ran_out_at'])
    .where('service_id', '=', serviceId)
    .where('ends_at', '>', delivered ?? since)
    .orderBy('starts_at')
    .limit(30)
    .execute()
  const later = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('service_id', '=', serviceId)
    .where('completed_at', '>', delivered ?? since)
    .executeTakeFirstOrThrow()
  return {
    service: service ?? null,
    cycles,
    left: await findLastUsageReading(db, serviceId),
    laterOrders: Number(later.count),
    signIns,
  }
}

async function findLastUsageReading(db: Db, serviceId: string): Promise<UsageSinceOrder['left']> {
  const row = await db
    .selectFrom('usage_readings')
    .select('read_at')
    .select(
      sql<
        string | null
      >`(select sum((each ->> 'remaining')::numeric) from jsonb_array_elements(reading) each where each ->> 'type' = 'data')`.as(
        'mb',
      ),
    )
    .where('service_id', '=', serviceId)
    .where('kind', '=', 'summary')
    .executeTakeFirst()
  return row?.mb ? { mb: Number(row.mb), at: row.read_at } : null
}
