import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from './account.queries.ts'
import { forVisitors } from './guards.ts'

// For the pages of those who are not signed in yet.
export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
export const redirect = forVisitors
