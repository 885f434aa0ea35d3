import { definePages, notFoundTitle } from '#kit/web/page.ts'
import { cataloguePages } from '#desk/features/catalogue/web/catalogue.pages.ts'
import { accessReviewPages } from '#desk/features/access-reviews/web/access-reviews.pages.ts'
import { customersPages } from '#desk/features/customers/web/customers.pages.ts'
import { healthPages } from '#desk/features/health/web/health.pages.ts'
import { limitsPages } from '#desk/features/limits/web/limits.pages.ts'
import { messagePages } from '#desk/features/messages/web/messages.pages.ts'
import { moneyPages } from '#desk/features/money/web/money.pages.ts'
import { orderPages } from '#desk/features/orders/web/orders.pages.ts'
import { portPages } from '#desk/features/ports/web/ports.pages.ts'
import { searchPages } from '#desk/features/search/web/search.pages.ts'
import { staffPages } from '#desk/features/staff/web/staff.pages.ts'
import { stockPages } from '#desk/features/stock/web/stock.pages.ts'
import { teamPages } from '#desk/features/team/web/team.pages.ts'
import { todayPages } from '#desk/features/today/web/today.pages.ts'

/** The router matches a URL against these pages in this order. */
export const pages = definePages([
  ...todayPages,
  ...searchPages,
  ...orderPages,
  ...portPages,
  ...moneyPages,
  ...messagePages,
  ...customersPages,
  ...healthPages,
  ...cataloguePages,
  ...stockPages,
  ...teamPages,
  ...accessReviewPages,
  ...limitsPages,
  ...staffPages,
  {
    path: /^/,
    title: notFoundTitle,
    status: 404,
    component: () => import('#desk/features/staff/web/not-found.page.tsx'),
  },
])
