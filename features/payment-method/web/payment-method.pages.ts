import type { PageEntry } from '#kit/web/page.ts'

/** The saved card, which is a page of the account area. */
export const paymentMethodPages: PageEntry[] = [
  {
    path: '/account/payment-method/',
    title: 'Payment Method',
    needs: () => import('./payment-method.needs.ts'),
    load: () => import('./payment-method.page.tsx'),
  },
]
