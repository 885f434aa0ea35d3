import type { Route } from '#kit/server/route.ts'
import { accountRoutes } from '#features/account/server/account.routes.ts'
import { changePasswordRoutes } from '#features/account/server/change-password.routes.ts'
import { activationRoutes, finishedActivationRoutes } from '#features/activation/server/activation.routes.ts'
import { addOnRoutes } from '#features/addons/server/addons.routes.ts'
import { alertRoutes } from '#features/alerts/server/alerts.routes.ts'
import { authRoutes } from '#features/auth/server/auth.routes.ts'
import { passwordRoutes } from '#features/auth/server/password-reset.routes.ts'
import { changeEmailRoutes } from '#features/change-email/server/change-email.routes.ts'
import { errorReportRoutes } from '#features/error-reports/server/error-reports.routes.ts'
import { historyRoutes } from '#features/history/server/history.routes.ts'
import { invoiceRoutes } from '#features/invoices/server/invoices.routes.ts'
import { nextPlanRoutes } from '#features/next-plan/server/next-plan.routes.ts'
import { orderRoutes } from '#features/orders/server/orders.routes.ts'
import { paymentMethodRoutes } from '#features/payment-method/server/payment-method.routes.ts'
import { planRoutes } from '#features/plans/server/plans.routes.ts'
import { portingRoutes } from '#features/porting/server/porting.routes.ts'
import { privacyRoutes } from '#features/privacy/server/privacy.routes.ts'
import { renewalRoutes } from '#features/renewal/server/renewal.routes.ts'
import { securityRoutes } from '#features/security/server/security.routes.ts'
import { ownNumberRoutes } from '#features/services/server/own-number.routes.ts'
import { serviceRoutes } from '#features/services/server/services.routes.ts'
import { portServiceRoutes } from '#features/porting/server/port-service.routes.ts'
import { autoRenewalRoutes } from '#features/auto-renewal/server/auto-renewal.routes.ts'
import { storedUsageRoutes, usageRoutes } from '#features/usage/server/usage.routes.ts'
import { voucherRoutes } from '#features/vouchers/server/vouchers.routes.ts'
import type { Deps } from './deps.ts'

/** Routes for server-rendered pages only. They are not reachable over HTTP. */
export const pageRoutes = (deps: Deps): Route[] => [...storedUsageRoutes(deps), ...finishedActivationRoutes(deps)]

export const apiRoutes = (deps: Deps): Route[] => [
  ...authRoutes(deps),
  ...passwordRoutes(deps),
  ...accountRoutes(deps),
  ...changePasswordRoutes(deps),
  ...changeEmailRoutes(deps),
  ...securityRoutes(deps),
  ...privacyRoutes(deps),
  ...serviceRoutes(deps),
  ...ownNumberRoutes(deps),
  ...planRoutes(deps),
  ...voucherRoutes(deps),
  ...portingRoutes(deps),
  ...activationRoutes(deps),
  ...orderRoutes(deps),
  ...renewalRoutes(deps),
  ...addOnRoutes(deps),
  ...invoiceRoutes(deps),
  ...usageRoutes(deps),
  ...alertRoutes(deps),
  ...historyRoutes(deps),
  ...portServiceRoutes(deps),
  ...autoRenewalRoutes(deps),
  ...nextPlanRoutes(deps),
  ...paymentMethodRoutes(deps),
  ...errorReportRoutes(deps),
]
