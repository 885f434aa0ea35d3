import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from './account.queries.ts'
import { forCustomers } from './guards.ts'

// For a private page that shows nothing but what is known of its customer.
export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
export const redirect = forCustomers
