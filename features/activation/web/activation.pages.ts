import type { PageEntry } from '#kit/web/page.ts'

export const activationPages: PageEntry[] = [
  {
    path: '/activate/',
    title: 'Activate your SIM',
    needs: () => import('./wizard.needs.ts'),
    load: () => import('./sim.page.tsx'),
  },
  { path: '/activate/new/', title: 'Activate a new SIM', load: () => import('./sim.page.tsx') },
  {
    path: '/activate/porting/',
    title: 'Number Transfer Details',
    needs: () => import('./wizard.needs.ts'),
    load: () => import('./porting.page.tsx'),
  },
  {
    path: '/activate/signup/',
    title: 'Your Personal Details',
    needs: () => import('./wizard.needs.ts'),
    load: () => import('./signup.page.tsx'),
  },
  {
    path: '/activate/method/',
    title: 'Choose Your Prepay Plan',
    needs: () => import('./method.needs.ts'),
    load: () => import('./method.page.tsx'),
  },
  {
    path: '/activate/plans/',
    title: 'Choose Your Prepay Plan',
    needs: () => import('./plans.needs.ts'),
    load: () => import('./plans.page.tsx'),
  },
  {
    path: '/activate/checkout/',
    title: 'Payment Details',
    needs: () => import('./method.needs.ts'),
    load: () => import('./checkout.page.tsx'),
  },
  {
    path: '/activate/processing/',
    title: 'Activating',
    needs: () => import('./wizard.needs.ts'),
    load: () => import('./processing.page.tsx'),
  },
  {
    path: '/activate/error/',
    title: 'Something Went Wrong',
    needs: () => import('./wizard.needs.ts'),
    load: () => import('./error.page.tsx'),
  },
  {
    path: '/activate/success/',
    title: 'Activation Complete',
    needs: () => import('./success.needs.ts'),
    load: () => import('./success.page.tsx'),
  },
  // The wizard owns the prefix. Any other URL redirects to the page of the activation's state.
  {
    path: /^\/activate\/.*\/$/,
    title: 'Activate your SIM',
    needs: () => import('./wizard.needs.ts'),
    load: () => import('./sim.page.tsx'),
  },
]
