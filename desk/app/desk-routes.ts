import type { Deps } from '#app/deps.ts'
import { approvalRoutes } from '#desk/features/approvals/server/approvals.routes.ts'
import { callerRoutes } from '#desk/features/caller-verification/server/caller-verification.routes.ts'
import { catalogueRoutes } from '#desk/features/catalogue/server/catalogue.routes.ts'
import { publishApprovedDraft } from '#desk/features/catalogue/server/publish.ts'
import { accessReviewRoutes } from '#desk/features/access-reviews/server/access-reviews.routes.ts'
import { customerRoutes } from '#desk/features/customers/server/customers.routes.ts'
import { numberRoutes } from '#desk/features/customers/server/number.routes.ts'
import { numberUsageRoutes } from '#desk/features/customers/server/usage.routes.ts'
import { makeApprovedRefund } from '#desk/features/orders/server/refund-order.ts'
import { errorRoutes } from '#desk/features/health/server/errors.routes.ts'
import type { HealthDeps } from '#desk/features/health/server/health.deps.ts'
import { healthRoutes } from '#desk/features/health/server/health.routes.ts'
import { recordApprovedSettlement } from '#desk/features/orders/server/settle.ts'
import { changeApprovedLimits } from '#desk/features/limits/server/limits.ts'
import { limitsRoutes } from '#desk/features/limits/server/limits.routes.ts'
import { messageRoutes } from '#desk/features/messages/server/messages.routes.ts'
import { moneyRoutes } from '#desk/features/money/server/money.routes.ts'
import { orderRoutes } from '#desk/features/orders/server/orders.routes.ts'
import { portRoutes } from '#desk/features/ports/server/ports.routes.ts'
import { renewalsRoutes } from '#desk/features/renewals/server/renewals.routes.ts'
import { searchRoutes } from '#desk/features/search/server/search.routes.ts'
import { confirmationRoutes } from '#desk/features/staff/server/confirmation.routes.ts'
import type { DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { approveVoucherRequest } from '#desk/features/stock/server/voucher-approvals.ts'
import { stockRoutes } from '#desk/features/stock/server/stock.routes.ts'
import { simLoadRoutes } from '#desk/features/stock/server/sim-loads.routes.ts'
import { batchRoutes } from '#desk/features/stock/server/batches.routes.ts'
import { staffRoutes } from '#desk/features/staff/server/staff.routes.ts'
import { applyApprovedStaffChange } from '#desk/features/team/server/staff-change-requests.ts'
import { teamRoutes } from '#desk/features/team/server/team.routes.ts'
import { todayRoutes } from '#desk/features/today/server/today.routes.ts'
import { countersRoutes } from '#desk/features/counters/server/counters.routes.ts'

export type DeskDeps = Deps & Pick<HealthDeps, 'running'> & { deskUrl: string; isDemo: boolean }

export const createGrantHandlers = (deps: Deps) => ({
  limits: changeApprovedLimits(deps),
  staff: applyApprovedStaffChange(deps),
})

export const deskRoutes = (deps: DeskDeps): DeskRoute[] => [
  ...staffRoutes(deps),
  ...confirmationRoutes(deps),
  ...searchRoutes(deps),
  ...customerRoutes(deps),
  ...numberRoutes(deps),
  ...numberUsageRoutes(deps),
  ...callerRoutes(deps),
  ...renewalsRoutes(deps),
  ...orderRoutes(deps),
  ...portRoutes(deps),
  ...approvalRoutes(deps, {
    refund: makeApprovedRefund(deps),
    catalogue: publishApprovedDraft(deps),
    vouchers: approveVoucherRequest(deps),
    settlement: recordApprovedSettlement(deps),
    ...createGrantHandlers(deps),
  }),
  ...moneyRoutes(deps),
  ...messageRoutes(deps),
  ...todayRoutes(deps),
  ...countersRoutes(deps),
  ...healthRoutes(deps),
  ...errorRoutes(deps),
  ...teamRoutes(deps),
  ...accessReviewRoutes(deps),
  ...limitsRoutes(deps),
  ...catalogueRoutes(deps),
  ...stockRoutes(deps),
  ...simLoadRoutes(deps),
  ...batchRoutes(deps),
]
