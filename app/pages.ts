import { definePages, notFoundTitle } from '#kit/web/page.ts'
import { accountPages } from '#features/account/web/account.pages.ts'
import { activationPages } from '#features/activation/web/activation.pages.ts'
import { addOnPages } from '#features/addons/web/addons.pages.ts'
import { alertPages } from '#features/alerts/web/alerts.pages.ts'
import { authPages } from '#features/auth/web/auth.pages.ts'
import { changeEmailPages } from '#features/change-email/web/change-email.pages.ts'
import { dashboardPages } from '#features/dashboard/web/dashboard.pages.ts'
import { historyPages } from '#features/history/web/history.pages.ts'
import { invoicePages } from '#features/invoices/web/invoices.pages.ts'
import { paymentMethodPages } from '#features/payment-method/web/payment-method.pages.ts'
import { portingPages } from '#features/porting/web/porting.pages.ts'
import { privacyPages } from '#features/privacy/web/privacy.pages.ts'
import { renewalPages } from '#features/renewal/web/renewal.pages.ts'
import { securityPages } from '#features/security/web/security.pages.ts'
import { numberPages } from '#features/services/web/number.pages.ts'
import { styleGuidePages } from '#features/styleguide/web/styleguide.pages.ts'
import { usagePages } from '#features/usage/web/usage.pages.ts'
import { voucherPages } from '#features/vouchers/web/vouchers.pages.ts'

export const pages = definePages([
  // The renewal pages must come before a service's pages, whose pattern would also match `/services/renew/`.
  ...renewalPages,
  ...dashboardPages,
  ...authPages,
  ...accountPages,
  ...changeEmailPages,
  ...securityPages,
  ...privacyPages,
  ...activationPages,
  ...paymentMethodPages,
  ...portingPages,
  ...addOnPages,
  ...invoicePages,
  ...usagePages,
  ...alertPages,
  ...historyPages,
  ...numberPages,
  ...voucherPages,
  ...styleGuidePages,
  { path: /^/, title: notFoundTitle, status: 404, component: () => import('#kit/web/screens/not-found.page.tsx') },
])
