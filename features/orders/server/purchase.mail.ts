import { formatDate } from '#kit/contract/dates.ts'
import { dayIn, formatLongDate, getLastDayBefore } from '#kit/contract/days.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { computePlanDates } from '#features/services/server/services.ts'
import type { DeliveredOrder } from './order-type.ts'
import { nextPlanRows, purchaseRows } from './mail-rows.ts'
import type { OrderDeps } from './orders.deps.ts'
import { findPurchasedPeriod } from './purchased-period.ts'

export async function sendRenewalMail(trx: Trx, deps: OrderDeps, order: DeliveredOrder): Promise<void> {
  const { zone } = deps.market
  const number = formatNational(order.msisdn)
  const startDateText =
    order.starts_at && order.starts_at.getTime() > deps.clock.now().epochMilliseconds
      ? formatDate(fromDate(order.starts_at), zone)
      : null
  const { expiresAt } = await findPurchasedPeriod(trx, deps, order)
  const nextPlan = await nextPlanRows(trx, order)
  const user = await findUser(trx, order.user_id)
  const lastDay = formatLongDate(getLastDayBefore(dayIn(expiresAt.toString(), zone)))
  await queuePurchaseMail(trx, deps, order, {
    event: 'renewal',
    user,
    subject: `Your Prepay Plan for ${number} is renewed`,
    heading: 'Renewal successful',
    sentence: startDateText
      ? `your next ${order.product.title} for ${number} is paid for. It starts on ${startDateText}, when your current Prepay Plan ends, ` +
        `and its last day is ${lastDay}.`
      : `your ${order.product.title} for ${number} is ready to use.`,
    rows: purchaseRows(deps, order, 'Prepay Plan', [
      ...(startDateText ? [['Starts on', startDateText] satisfies [string, string]] : []),
      ['Expires on', formatDate(expiresAt, zone)],
      ...nextPlan,
    ]),
  })
}

export async function sendAddOnMail(trx: Trx, deps: OrderDeps, order: DeliveredOrder): Promise<void> {
  const { zone } = deps.market
  const number = formatNational(order.msisdn)
  const { expiresAt } = computePlanDates(
    order.completed_at ? fromDate(order.completed_at) : deps.clock.now(),
    order.product.length,
    zone,
  )
  await queuePurchaseMail(trx, deps, order, {
    event: 'addon',
    user: await findUser(trx, order.user_id),
    subject: `Your Add-On for ${number} is ready`,
    heading: 'Add-On purchase successful',
    sentence: `your ${order.product.title} for ${number} is ready to use.`,
    rows: purchaseRows(deps, order, 'Add-On', [
      ['Includes', addOnContents(order.product)],
      ['Expires on', formatDate(expiresAt, zone)],
    ]),
  })
}

type PurchaseMail = {
  event: 'renewal' | 'addon'
  user: Awaited<ReturnType<typeof findUser>>
  subject: string
  heading: string
  sentence: string
  rows: [string, string][]
}

async function queuePurchaseMail(
  trx: Trx,
  deps: OrderDeps,
  order: DeliveredOrder,
  { event, user, subject, heading, sentence, rows }: PurchaseMail,
): Promise<void> {
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  await queueMail(trx, deps, {
    eventKey: `${event}:${order.id}`,
    to: user,
    subject,
    heading,
    paragraphs: [`${buildGreeting(deps, user.first_name)}, ${sentence}`],
    rows,
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${order.service_id}/` },
    attachment: `invoice:${order.order_code}`,
  })
}

function addOnContents({ data_gb: gb, voice_mins: minutes, txt_sms: messages }: Product): string {
  const data = gb >= 1 ? `${gb} GB` : `${Math.round(gb * 1000)} MB`
  return [
    ...(gb > 0 ? [data] : []),
    ...(minutes > 0 ? [`${minutes} Mins`] : []),
    ...(messages > 0 ? [`${messages} SMS/MMS`] : []),
  ].join(', ')
}
