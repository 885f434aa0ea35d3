import type { PageEntry } from '#kit/web/page.ts'

export const paymentMethodPages: PageEntry[] = [
  {
    path: '/account/payment-method/',
    title: 'Payment Method',
    loader: () => import('./payment-method.loader.ts'),
    component: () => import('./payment-method.page.tsx'),
  },
]
