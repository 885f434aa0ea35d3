import type { PageEntry } from '#kit/web/page.ts'
import { planFiltersQuery, productsQuery } from '#features/plans/web/plans.queries.ts'
import { portingProvidersQuery } from '#features/porting/web/porting.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

const wizard = { queries: (api) => [activationQuery(api)], redirect: wizardRedirect } satisfies Partial<PageEntry>

/** The wizard's pages. The state of the activation says which of them is shown. */
export const activationPages: PageEntry[] = [
  { path: '/activate/', title: 'Activate your SIM', ...wizard, load: () => import('./sim.page.tsx') },
  // Shows the first step whatever the state: nothing changes before the form is sent.
  { path: '/activate/new/', title: 'Activate a new SIM', load: () => import('./sim.page.tsx') },
  {
    path: '/activate/porting/',
    title: 'Number Transfer Details',
    ...wizard,
    queries: (api) => [activationQuery(api), portingProvidersQuery(api)],
    load: () => import('./porting.page.tsx'),
  },
  { path: '/activate/signup/', title: 'Your Personal Details', ...wizard, load: () => import('./signup.page.tsx') },
  { path: '/activate/method/', title: 'Choose Your Prepay Plan', ...wizard, load: () => import('./method.page.tsx') },
  {
    path: '/activate/plans/',
    title: 'Choose Your Prepay Plan',
    ...wizard,
    queries: (api) => [activationQuery(api), productsQuery(api), planFiltersQuery(api)],
    load: () => import('./plans.page.tsx'),
  },
  { path: '/activate/checkout/', title: 'Payment Details', ...wizard, load: () => import('./checkout.page.tsx') },
  { path: '/activate/processing/', title: 'Activating', ...wizard, load: () => import('./processing.page.tsx') },
  { path: '/activate/error/', title: 'Something Went Wrong', ...wizard, load: () => import('./error.page.tsx') },
  { path: '/activate/success/', title: 'Activation Complete', ...wizard, load: () => import('./success.page.tsx') },
]
