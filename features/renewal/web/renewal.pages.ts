import type { PageEntry } from '#kit/web/page.ts'

const title = 'Renew Prepay Plan'

/**
 * These pages must come before a service's own pages, which would take `renew` for a service's uuid. Short IDs start
 * with a digit, so `voucher` and `success` are never taken for a short ID.
 */
export const renewalPages: PageEntry[] = [
  {
    path: '/services/renew/',
    title,
    loader: () => import('./services.loader.ts'),
    component: () => import('./choose-service.page.tsx'),
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
    component: () => import('./choose-service.page.tsx'),
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
