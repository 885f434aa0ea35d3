import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { callSupportText, buildGreeting, type NewMail, queueMail } from '#features/messages/server/messages.ts'
import { findPlanCanceller } from '#features/orders/server/order-events.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { isAutoRenewing } from './cancel-terms.ts'
import { autoRenewalOffMessage, describeRefund, removeEmphasis, type RefundDetails } from './next-plan.labels.ts'

/** The details for a cancellation email. `after` says what happens next; `null` if the number has been released. */
type CancellationMailDetails = { back: RefundDetails; after: string | null }

export async function sendPlanCancelledMail(
  trx: Trx,
  deps: NextPlanDeps,
  order: Order,
  { back, after }: CancellationMailDetails,
): Promise<void> {
  await queueNextPlanMail(trx, deps, order, {
    eventKey: `next-plan-cancelled:${order.id}`,
    subject: `Your next Prepay Plan for ${formatNational(order.msisdn)} is cancelled`,
    heading: 'Next plan cancelled',
    sentences: [
      `your next ${order.product.title} for ${formatNational(order.msisdn)}, due to start on ${startDateLabel(deps, order)}, ` +
        ((await findPlanCanceller(trx, order.id)) ? 'is cancelled.' : 'is cancelled, as you asked.'),
      formatRefundText(deps, back),
      ...(after ? [removeEmphasis(after)] : []),
    ],
    rows: refundRows(order, back),
  })
}

/** Tells the customer that their replacement plan was cancelled, because the plan it was meant to replace had already started. */
export const sendReplacementCancelledMail = (
  trx: Trx,
  deps: NextPlanDeps,
  order: Order,
  back: RefundDetails,
): Promise<void> =>
  queueNextPlanMail(trx, deps, order, {
    eventKey: `next-plan-cancelled:${order.id}`,
    subject: `Your next Prepay Plan for ${formatNational(order.msisdn)} was not changed`,
    heading: 'Next plan not changed',
    sentences: [
      `you chose ${order.product.title} to replace your next Prepay Plan for ${formatNational(order.msisdn)}, but that plan had already ` +
        'started when your payment was confirmed. It stays in place, and we’ve cancelled your new order.',
      formatRefundText(deps, back),
    ],
    rows: refundRows(order, back),
  })

function formatRefundText({ clock, market }: NextPlanDeps, back: RefundDetails): string {
  const refundDescription = removeEmphasis(describeRefund(back, { now: clock.now(), zone: market.zone }))
  return isCardRefund(back)
    ? `${refundDescription} We’ll send your tax credit note in a separate email.`
    : refundDescription
}

const isCardRefund = (back: RefundDetails): back is Extract<RefundDetails, { by: 'card' }> =>
  back.by === 'card' && back.leftCents > 0

const refundRows = ({ currency }: Order, back: RefundDetails): [string, string][] =>
  isCardRefund(back) ? [['Refund', `${formatPrice(back.leftCents)} ${currency} to ${back.card}`]] : []

export async function sendCancellationFailedMail(trx: Trx, deps: NextPlanDeps, order: Order): Promise<void> {
  const isAutoRenewalOff = order.auto_renewal && !(await isAutoRenewing(trx, order.service_id ?? ''))
  await queueNextPlanMail(trx, deps, order, {
    // Cancelling the same order can fail more than once, so the event key contains the order's version.
    eventKey: `next-plan-kept:${order.id}:${order.version}`,
    subject: `Your next Prepay Plan for ${formatNational(order.msisdn)} could not be cancelled`,
    heading: 'Next plan not cancelled',
    sentences: [
      `the network couldn’t cancel your next ${order.product.title} for ${formatNational(order.msisdn)}. ` +
        `Nothing was refunded, and the plan still starts on ${startDateLabel(deps, order)}.`,
      ...(isAutoRenewalOff ? [autoRenewalOffMessage] : []),
      `We’re looking into it. If you still want to cancel it, ${callSupportText(deps)}.`,
    ],
    rows: [],
  })
}

const startDateLabel = ({ market, clock }: NextPlanDeps, { starts_at: at }: Order): string =>
  formatDate(at ? fromDate(at) : clock.now(), market.zone)

type NextPlanMail = Pick<NewMail, 'eventKey' | 'subject' | 'heading'> & {
  sentences: string[]
  rows: [string, string][]
}

async function queueNextPlanMail(trx: Trx, deps: NextPlanDeps, order: Order, mail: NextPlanMail): Promise<void> {
  const { eventKey, subject, heading, rows } = mail
  const [first = '', ...more] = mail.sentences
  const user = order.user_id ? await findUser(trx, order.user_id) : undefined
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  await queueMail(trx, deps, {
    eventKey,
    to: user,
    subject,
    heading,
    paragraphs: [`${buildGreeting(deps, user.first_name)}, ${first}`, ...more],
    rows: [
      ['Order', order.order_code],
      ['Phone number', formatNational(order.msisdn)],
      ['Prepay Plan', `${order.product.title}, ${order.product.length} days`],
      ...rows,
    ],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${order.service_id}/` },
  })
}
