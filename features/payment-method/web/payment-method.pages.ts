import type { PageEntry } from '#kit/web/page.ts'

export const paymentMethodPages: PageEntry[] = [
  {
    path: '/account/payment-method/',
    title: 'Payment Method',
    needs: () => import('./payment-method.needs.ts'),
    load: () => import('./payment-method.page.tsx'),
  },
]
