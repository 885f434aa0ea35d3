import type { PageEntry } from '#kit/web/page.ts'

const title = 'Renew Prepay Plan'

/**
 * These pages must precede the pages of a service, which would match `renew` as a uuid. A short id starts with a digit,
 * so `voucher` and `success` never match as short ids.
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
