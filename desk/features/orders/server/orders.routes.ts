import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { resendMessage } from '#features/customers/server/resend.ts'
import { cancelPlanByOperator } from '#features/next-plan/server/next-plan.ts'
import { cancelByOperator, retryByOperator } from '#features/orders/server/order-acts.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { givenCents } from '#features/refunds/server/refunds.store.ts'
import { retryRefundNow } from '#features/refunds/server/refunds.ts'
import { isPlanWaiting } from '#features/services/server/queued-plans.store.ts'
import { readPlaceById } from '#kit/server/page.ts'
import { conflict, forbidden, notFound } from '#kit/server/refusal.ts'
import { noteLook } from '#desk/features/alarms/server/alarms.ts'
import { listDeciders } from '#desk/features/approvals/server/deciders.ts'
import { openApprovalOf } from '#desk/features/approvals/server/approvals.store.ts'
import { readLimits } from '#desk/features/limits/server/limits.store.ts'
import { reasonLine } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  askRefund,
  askToSettle as askToSettleCall,
  cancelOrder,
  listOrders,
  readOrder,
  refundOrder,
  resendMessage as resendCall,
  retryOrder,
} from '../orders.contract.ts'
import { readDeskOrder } from './desk-order.view.ts'
import { askToGiveBack, giveBackAlone } from './give-back.ts'
import { listNotWell, presentOrder, presentRow } from './orders.view.ts'
import { askToSettle, findUnsettled } from './settle.ts'
import { leftAlone, limitsOf } from './refund-limits.ts'
import { givenAloneInADay } from './staff-refunds.store.ts'

export type DeskOrdersDeps = OrderDeps & CustomersDeps & { isDemo: boolean }

const both = { who: ['support', 'finance'] } as const
const support = { who: ['support'] } as const

export function orderRoutes(deps: DeskOrdersDeps): DeskRoute[] {
  const { db } = deps
  const find = async (code: string): Promise<Order> => {
    const order = await findOrderByCode(db, code.toUpperCase())
    if (!order) throw notFound()
    return order
  }
  return [
    deskRoute(listOrders, both, async ({ query: { of, before } }) => {
      const { rows, next } = await listNotWell(db, { of, before: readPlaceById(before) })
      return { orders: rows.map(presentRow), next }
    }),
    deskRoute(readOrder, both, ({ staff, params }) => showOrder(deps, staff, params.code.toUpperCase())),
    deskRoute(retryOrder, support, async ({ staff, params, body }) => {
      const order = await find(params.code)
      const actor = actorOf(staff, reasonLine(body))
      if (await retryRefundNow(deps, order, actor)) return {}
      const why = await retryByOperator(deps, order, actor)
      if (why) throw conflict(why)
      return {}
    }),
    // Finance may use this endpoint too, because a plan that has not started is refunded by cancelling it.
    deskRoute(cancelOrder, both, async ({ staff, params, body }) => {
      const order = await find(params.code)
      const actor = actorOf(staff, reasonLine(body))
      const isWaiting = await isPlanWaiting(db, order.id)
      if (!isWaiting && !staff.roles.includes('support'))
        throw forbidden('Ask someone in support to cancel this order.')
      const why = await (isWaiting ? cancelPlanByOperator : cancelByOperator)(deps, order, actor)
      if (why) throw conflict(why)
      return {}
    }),
    deskRoute(refundOrder, both, async ({ staff, params, body }) =>
      giveBackAlone(deps, staff, { ...body, code: (await find(params.code)).order_code }),
    ),
    deskRoute(askRefund, both, async ({ staff, params, body }) => {
      const { id, lapses_at } = await askToGiveBack(deps, staff, {
        ...body,
        code: (await find(params.code)).order_code,
      })
      return { id, lapses: lapses_at.toISOString() }
    }),
    deskRoute(askToSettleCall, { who: ['finance'] }, async ({ staff, params, body }) => {
      const { id, lapses_at } = await askToSettle(deps, staff, { ...body, code: params.code.toUpperCase() })
      return { id, lapses: lapses_at.toISOString() }
    }),
    deskRoute(resendCall, both, async ({ staff, params }) => {
      const order = await readDeskOrder(db, params.code.toUpperCase())
      if (!order?.messages.some(({ id }) => id === params.id)) throw notFound()
      const sent = await resendMessage(deps, params.id, actorOf(staff))
      if ('why' in sent) throw conflict(sent.why)
      return {}
    }),
  ]
}

async function showOrder(deps: DeskOrdersDeps, staff: SignedInStaff, code: string) {
  const { db, clock } = deps
  const found = await readDeskOrder(db, code)
  if (!found) throw notFound()
  const { order, refunds } = found.whole
  await noteLook(deps, staff, { act: 'order_seen', userId: order.user_id, subject: order.order_code })
  const isFinance = staff.roles.includes('finance')
  const given = { ofOrder: givenCents(refunds), ofDay: await givenAloneInADay(db, clock, staff.id) }
  return presentOrder({
    ...found,
    aloneCents: leftAlone(limitsOf(await readLimits(db), staff.roles), given),
    asked: (await openApprovalOf(db, 'refund', order.order_code)) ?? null,
    deciders: await listDeciders(deps, { kind: 'refund', subject: order.order_code, asked_by: staff.id }),
    unsettled: isFinance ? await findUnsettled(db, order) : null,
    settling: (await openApprovalOf(db, 'settlement', order.order_code)) ?? null,
    seesDisputes: isFinance,
    staffId: staff.id,
  })
}
