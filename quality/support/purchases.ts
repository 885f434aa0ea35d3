import type { Answer, Visitor } from './visitor.ts'
import type { World } from './world.ts'

type Place = Pick<World, 'card'>
type PurchaseTarget = { id: string; shortId: string }

export type PaymentOptions = {
  product?: string
  voucher?: string
  saved?: boolean
  holder?: string
  card?: string | undefined
  save?: boolean
  /** The idempotency key. By default, each purchase gets a new key; null means that no key is sent. */
  key?: string | null
  body?: Record<string, unknown>
}

const cardFields = (place: Place, { saved, holder, card = place.card(holder) }: PaymentOptions) =>
  saved ? { use_saved_card: true } : { use_saved_card: false, adyen_encrypted: card }
const buildHeaders = ({ key = crypto.randomUUID() }: PaymentOptions): Record<string, string> =>
  key === null ? {} : { 'idempotency-key': key }

export function renew(
  place: Place,
  visitor: Visitor,
  service: PurchaseTarget,
  paying: PaymentOptions = {},
): Promise<Answer> {
  const { product = 'plan-30-15gb', voucher, body } = paying
  const what = voucher
    ? { payment_method: '2', code: voucher }
    : { payment_method: '1', product, ...cardFields(place, paying) }
  return visitor.post(
    '/api/orders/recharge/',
    { uuid: service.id, schedule: service.shortId, ...what, ...body },
    buildHeaders(paying),
  )
}

export function buyAddOn(
  place: Place,
  visitor: Visitor,
  service: Pick<PurchaseTarget, 'id'>,
  paying: PaymentOptions = {},
): Promise<Answer> {
  const { product = 'extra-2gb', save = false, body } = paying
  return visitor.post(
    '/api/orders/addons/',
    { uuid: service.id, product, payment_method: '1', save_token: save, ...cardFields(place, paying), ...body },
    buildHeaders(paying),
  )
}

export const resumeOrder = (visitor: Visitor, orderCode: string): Promise<Answer> =>
  visitor.post(`/api/orders/${orderCode}/resume/`)

/** Returns the final response to a purchase, however long it takes. As long as the outcome is unknown, the customer keeps asking. */
export async function endOf(visitor: Visitor, answer: Promise<Answer>): Promise<Answer> {
  let said = await answer
  while (said.status === 202) said = await resumeOrder(visitor, said.body.order_code)
  return said
}
