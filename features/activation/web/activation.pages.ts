import type { PageEntry } from '#kit/web/page.ts'

export const activationPages: PageEntry[] = [
  {
    path: '/activate/',
    title: 'Activate your SIM',
    loader: () => import('./wizard.loader.ts'),
    component: () => import('./sim.page.tsx'),
  },
  { path: '/activate/new/', title: 'Activate a new SIM', component: () => import('./sim.page.tsx') },
  {
    path: '/activate/porting/',
    title: 'Number Transfer Details',
    loader: () => import('./wizard.loader.ts'),
    component: () => import('./porting.page.tsx'),
  },
  {
    path: '/activate/signup/',
    title: 'Your Personal Details',
    loader: () => import('./wizard.loader.ts'),
    component: () => import('./signup.page.tsx'),
  },
  {
    path: '/activate/method/',
    title: 'Choose Your Prepay Plan',
    loader: () => import('./method.loader.ts'),
    component: () => import('./method.page.tsx'),
  },
  {
    path: '/activate/plans/',
    title: 'Choose Your Prepay Plan',
    loader: () => import('./plans.loader.ts'),
    component: () => import('./plans.page.tsx'),
  },
  {
    path: '/activate/checkout/',
    title: 'Payment Details',
    loader: () => import('./method.loader.ts'),
    component: () => import('./checkout.page.tsx'),
  },
  {
    path: '/activate/processing/',
    title: 'Activating',
    loader: () => import('./wizard.loader.ts'),
    component: () => import('./processing.page.tsx'),
  },
  {
    path: '/activate/error/',
    title: 'Something Went Wrong',
    loader: () => import('./wizard.loader.ts'),
    component: () => import('./error.page.tsx'),
  },
  {
    path: '/activate/success/',
    title: 'Activation Complete',
    loader: () => import('./success.loader.ts'),
    component: () => import('./success.page.tsx'),
  },
  // Any other URL under /activate/ redirects to the page for the activation's state.
  {
    path: /^\/activate\/.*\/$/,
    title: 'Activate your SIM',
    loader: () => import('./wizard.loader.ts'),
    component: () => import('./sim.page.tsx'),
  },
]
