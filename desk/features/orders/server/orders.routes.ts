import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { resendMessage } from '#features/customers/server/resend-message.ts'
import { cancelQueuedPlanByOperator } from '#features/next-plan/server/next-plan.ts'
import { cancelOrderByOperator, retryOrderByOperator } from '#features/orders/server/order-actions.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { sumRefundedCents } from '#features/refunds/server/refunds.store.ts'
import { retryRefundNow } from '#features/refunds/server/refunds.ts'
import { isPlanQueued } from '#features/services/server/queued-plans.store.ts'
import { parseUuidPosition } from '#kit/server/pagination.ts'
import { conflict, forbidden, notFound } from '#kit/server/http-error.ts'
import { recordAccess } from '#desk/features/access-alerts/server/access-alerts.ts'
import { listApprovers } from '#desk/features/approvals/server/approvers.ts'
import { findOpenApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { readLimits } from '#desk/features/limits/server/limits.store.ts'
import { formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  requestRefund,
  requestSettlement as askToSettleCall,
  cancelOrder,
  listOrders,
  readOrder,
  refundOrder,
  resendMessage as resendCall,
  retryOrder,
} from '../orders.contract.ts'
import { readDeskOrder } from './desk-order.view.ts'
import { requestRefundApproval, refundWithinLimit } from './refund-order.ts'
import { listUnfinishedOrders, presentOrder, presentRow } from './orders.view.ts'
import { requestSettlementApproval, findUnresolvedGatewayRequest } from './settle.ts'
import { remainingAllowance, getRefundAllowance } from './refund-limits.ts'
import { sumUnapprovedStaffRefunds } from './staff-refunds.store.ts'

export type DeskOrdersDeps = OrderDeps & CustomersDeps & { isDemo: boolean }

const supportOrFinance = { who: ['support', 'finance'] } as const
const supportOnly = { who: ['support'] } as const

export function orderRoutes(deps: DeskOrdersDeps): DeskRoute[] {
  const { db } = deps
  const requireOrder = async (code: string): Promise<Order> => {
    const order = await findOrderByCode(db, code.toUpperCase())
    if (!order) throw notFound()
    return order
  }
  return [
    deskRoute(listOrders, supportOrFinance, async ({ query: { of, before } }) => {
      const { rows, next } = await listUnfinishedOrders(db, { of, before: parseUuidPosition(before) })
      return { orders: rows.map(presentRow), next }
    }),
    deskRoute(readOrder, supportOrFinance, ({ staff, params }) => showOrder(deps, staff, params.code.toUpperCase())),
    deskRoute(retryOrder, supportOnly, async ({ staff, params, body }) => {
      const order = await requireOrder(params.code)
      const actor = toStaffActor(staff, formatStoredReason(body))
      if (await retryRefundNow(deps, order, actor)) return {}
      const why = await retryOrderByOperator(deps, order, actor)
      if (why) throw conflict(why)
      return {}
    }),
    // Finance may also cancel an order, because that is how a plan that has not started is refunded.
    deskRoute(cancelOrder, supportOrFinance, async ({ staff, params, body }) => {
      const order = await requireOrder(params.code)
      const actor = toStaffActor(staff, formatStoredReason(body))
      const isPlanWaiting = await isPlanQueued(db, order.id)
      if (!isPlanWaiting && !staff.roles.includes('support'))
        throw forbidden('Ask someone in support to cancel this order.')
      const why = await (isPlanWaiting ? cancelQueuedPlanByOperator : cancelOrderByOperator)(deps, order, actor)
      if (why) throw conflict(why)
      return {}
    }),
    deskRoute(refundOrder, supportOrFinance, async ({ staff, params, body }) =>
      refundWithinLimit(deps, staff, { ...body, code: (await requireOrder(params.code)).order_code }),
    ),
    deskRoute(requestRefund, supportOrFinance, async ({ staff, params, body }) => {
      const { id, lapses_at } = await requestRefundApproval(deps, staff, {
        ...body,
        code: (await requireOrder(params.code)).order_code,
      })
      return { id, lapses: lapses_at.toISOString() }
    }),
    deskRoute(askToSettleCall, { who: ['finance'] }, async ({ staff, params, body }) => {
      const { id, lapses_at } = await requestSettlementApproval(deps, staff, {
        ...body,
        code: params.code.toUpperCase(),
      })
      return { id, lapses: lapses_at.toISOString() }
    }),
    deskRoute(resendCall, supportOrFinance, async ({ staff, params }) => {
      const order = await readDeskOrder(db, params.code.toUpperCase())
      if (!order?.messages.some(({ id }) => id === params.id)) throw notFound()
      const sent = await resendMessage(deps, params.id, toStaffActor(staff))
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
  await recordAccess(deps, staff, { act: 'order_seen', userId: order.user_id, subject: order.order_code })
  const isFinance = staff.roles.includes('finance')
  const refundedAmounts = {
    ofOrder: sumRefundedCents(refunds),
    ofDay: await sumUnapprovedStaffRefunds(db, clock, staff.id),
  }
  return presentOrder({
    ...found,
    aloneCents: remainingAllowance(getRefundAllowance(await readLimits(db), staff.roles), refundedAmounts),
    asked: (await findOpenApproval(db, 'refund', order.order_code)) ?? null,
    deciders: await listApprovers(deps, { kind: 'refund', subject: order.order_code, asked_by: staff.id }),
    unsettled: isFinance ? await findUnresolvedGatewayRequest(db, order) : null,
    settling: (await findOpenApproval(db, 'settlement', order.order_code)) ?? null,
    seesDisputes: isFinance,
    staffId: staff.id,
  })
}
