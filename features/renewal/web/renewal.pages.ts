import type { PageEntry } from '#kit/web/page.ts'

const title = 'Renew Prepay Plan'

/**
 * These pages must come before the pages of a service, which would match `renew` as a service's uuid. A short id starts
 * with a digit, so `voucher` and `success` never match as short ids.
 */
export const renewalPages: PageEntry[] = [
  {
    path: '/services/renew/',
    title,
    loader: () => import('./services.loader.ts'),
    component: () => import('./choose.page.tsx'),
  },
  {
    path: '/services/renew/success/',
    title: 'Renewal Successful!',
    loader: () => import('./success.loader.ts'),
    component: () => import('./success.page.tsx'),
  },
  {
    path: '/services/renew/voucher/:code/',
    title,
    loader: () => import('./services.loader.ts'),
    component: () => import('./choose.page.tsx'),
  },
  {
    path: /^\/services\/renew\/(?<shortId>\d[^/]*)\/(?:(?<paymentMethod>plan)\/)?$/,
    title,
    loader: () => import('./card.loader.ts'),
    component: () => import('./card.page.tsx'),
  },
  {
    path: /^\/services\/renew\/(?<shortId>\d[^/]*)\/(?<paymentMethod>voucher)\/(?:(?<code>[^/]+)\/)?$/,
    title,
    loader: () => import('./services.loader.ts'),
    component: () => import('./voucher.page.tsx'),
  },
]
