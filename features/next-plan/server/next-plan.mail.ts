import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { callUs, greet, type NewMail, queueMail } from '#features/messages/server/messages.ts'
import { whoCancelledPlan } from '#features/orders/server/order-events.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { isRenewing } from './terms.ts'
import { autoRenewalOff, backWords, plain, type WhatGoesBack } from './words.ts'

/** `after` says what happens to the number; `null` when the number has been released. */
type Cancelled = { back: WhatGoesBack; after: string | null }

export async function sendPlanCancelled(
  trx: Trx,
  deps: NextPlanDeps,
  order: Order,
  { back, after }: Cancelled,
): Promise<void> {
  await send(trx, deps, order, {
    eventKey: `next-plan-cancelled:${order.id}`,
    subject: `Your next Prepay Plan for ${formatNational(order.msisdn)} is cancelled`,
    heading: 'Next plan cancelled',
    sentences: [
      `your next ${order.product.title} for ${formatNational(order.msisdn)}, due to start on ${startOf(deps, order)}, ` +
        ((await whoCancelledPlan(trx, order.id)) ? 'is cancelled.' : 'is cancelled, as you asked.'),
      sentenceOf(deps, back),
      ...(after ? [plain(after)] : []),
    ],
    rows: rowsOf(order, back),
  })
}

/** Tells the customer that a replacement was cancelled, because the plan that it was to replace had already started. */
export const sendTooLate = (trx: Trx, deps: NextPlanDeps, order: Order, back: WhatGoesBack): Promise<void> =>
  send(trx, deps, order, {
    eventKey: `next-plan-cancelled:${order.id}`,
    subject: `Your next Prepay Plan for ${formatNational(order.msisdn)} was not changed`,
    heading: 'Next plan not changed',
    sentences: [
      `you chose ${order.product.title} to replace your next Prepay Plan for ${formatNational(order.msisdn)}, but that plan had already ` +
        'started when your payment was confirmed. It stays in place, and we’ve cancelled your new order.',
      sentenceOf(deps, back),
    ],
    rows: rowsOf(order, back),
  })

function sentenceOf({ clock, market }: NextPlanDeps, back: WhatGoesBack): string {
  const words = plain(backWords(back, { now: clock.now(), zone: market.zone }))
  return isPaidBack(back) ? `${words} We’ll send your tax credit note in a separate email.` : words
}

const isPaidBack = (back: WhatGoesBack): back is Extract<WhatGoesBack, { by: 'card' }> =>
  back.by === 'card' && back.leftCents > 0

const rowsOf = ({ currency }: Order, back: WhatGoesBack): [string, string][] =>
  isPaidBack(back) ? [['Refund', `${formatPrice(back.leftCents)} ${currency} to ${back.card}`]] : []

export async function sendPlanKept(trx: Trx, deps: NextPlanDeps, order: Order): Promise<void> {
  const isOff = order.auto_renewal && !(await isRenewing(trx, order.service_id ?? ''))
  await send(trx, deps, order, {
    // The event key contains the version, because this can happen to an order repeatedly.
    eventKey: `next-plan-kept:${order.id}:${order.version}`,
    subject: `Your next Prepay Plan for ${formatNational(order.msisdn)} could not be cancelled`,
    heading: 'Next plan not cancelled',
    sentences: [
      `the network couldn’t cancel your next ${order.product.title} for ${formatNational(order.msisdn)}. ` +
        `Nothing was refunded, and the plan still starts on ${startOf(deps, order)}.`,
      ...(isOff ? [autoRenewalOff] : []),
      `We’re looking into it. If you still want to cancel it, ${callUs(deps)}.`,
    ],
    rows: [],
  })
}

const startOf = ({ market, clock }: NextPlanDeps, { starts_at: at }: Order): string =>
  formatDate(at ? fromDate(at) : clock.now(), market.zone)

type Letter = Pick<NewMail, 'eventKey' | 'subject' | 'heading'> & { sentences: string[]; rows: [string, string][] }

async function send(trx: Trx, deps: NextPlanDeps, order: Order, letter: Letter): Promise<void> {
  const { eventKey, subject, heading, rows } = letter
  const [first = '', ...more] = letter.sentences
  const user = order.user_id ? await findUser(trx, order.user_id) : undefined
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  await queueMail(trx, deps, {
    eventKey,
    to: user,
    subject,
    heading,
    paragraphs: [`${greet(deps, user.first_name)}, ${first}`, ...more],
    rows: [
      ['Order', order.order_code],
      ['Phone number', formatNational(order.msisdn)],
      ['Prepay Plan', `${order.product.title}, ${order.product.length} days`],
      ...rows,
    ],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${order.service_id}/` },
  })
}
