import { parseUuidPosition } from '#kit/server/pagination.ts'
import { conflict, notFound } from '#kit/server/http-error.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import type { RefundDeps } from '#features/refunds/server/refunds.deps.ts'
import { findRefund } from '#features/refunds/server/refunds.store.ts'
import { retryRefundNow } from '#features/refunds/server/refunds.ts'
import { formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import { deskFileRoute } from '#desk/features/staff/server/file-routes.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { downloadDailyTotals, listDailyTotals, listDisputes } from '../money.contract.ts'
import { downloadRefunds, listRefunds, retryRefund } from '../refunds.contract.ts'
import { createDailyTotalsFile, readDailyTotalsPage } from './daily-totals.ts'
import { type DeskDisputeDeps, disputeRoutes } from './disputes.routes.ts'
import { listDisputePage, presentDisputeRow } from './money.view.ts'
import { createRefundsFile, listRefundPage } from './refund-list.ts'

export type MoneyDeps = DeskDisputeDeps & RefundDeps

const financeOnly = { who: ['finance'] } as const

export function moneyRoutes(deps: MoneyDeps): DeskRoute[] {
  const { db, clock, market } = deps
  const days = () => ({ db, clock, zone: market.zone })
  return [
    deskRoute(listDisputes, financeOnly, async ({ query: { of, before } }) => {
      const { rows, next } = await listDisputePage(db, { of, before: parseUuidPosition(before) })
      return { disputes: rows.map(presentDisputeRow), next }
    }),
    deskRoute(listRefunds, financeOnly, async ({ query: { before, ...filter } }) =>
      listRefundPage(days(), filter, parseUuidPosition(before)),
    ),
    deskFileRoute(downloadRefunds, financeOnly, async ({ query }) => createRefundsFile(days(), query)),
    deskRoute(retryRefund, financeOnly, async ({ staff, params, body }) => {
      const refund = await findRefund(db, params.id)
      const order = refund && (await findOrder(db, refund.order_id))
      if (!order) throw notFound()
      if (!(await retryRefundNow(deps, order, toStaffActor(staff, formatStoredReason(body)))))
        throw conflict('This refund has been answered meanwhile. Refresh to see the answer.')
      return {}
    }),
    deskRoute(listDailyTotals, financeOnly, async ({ query: { before } }) => ({
      ...(await readDailyTotalsPage(days(), before)),
      currency: market.currency,
    })),
    deskFileRoute(downloadDailyTotals, financeOnly, async ({ query }) =>
      createDailyTotalsFile(days(), market.currency, query),
    ),
    ...disputeRoutes(deps),
  ]
}
