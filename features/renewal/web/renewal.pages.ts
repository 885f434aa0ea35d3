import type { PageEntry } from '#kit/web/page.ts'

const title = 'Renew Prepay Plan'

/**
 * Renewing a plan. They stand before the pages of a service, whose uuid would take `renew` for one; a schedule's short id begins
 * with a digit, so `voucher` and `success` are none.
 */
export const renewalPages: PageEntry[] = [
  {
    path: '/services/renew/',
    title,
    needs: () => import('./services.needs.ts'),
    load: () => import('./choose.page.tsx'),
  },
  {
    path: '/services/renew/success/',
    title: 'Renewal Successful!',
    needs: () => import('./success.needs.ts'),
    load: () => import('./success.page.tsx'),
  },
  {
    path: '/services/renew/voucher/:code/',
    title,
    needs: () => import('./services.needs.ts'),
    load: () => import('./choose.page.tsx'),
  },
  {
    path: /^\/services\/renew\/(?<shortId>\d[^/]*)\/(?:(?<paymentMethod>plan)\/)?$/,
    title,
    needs: () => import('./card.needs.ts'),
    load: () => import('./card.page.tsx'),
  },
  {
    path: /^\/services\/renew\/(?<shortId>\d[^/]*)\/(?<paymentMethod>voucher)\/(?:(?<code>[^/]+)\/)?$/,
    title,
    needs: () => import('./services.needs.ts'),
    load: () => import('./voucher.page.tsx'),
  },
]
