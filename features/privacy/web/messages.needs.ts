import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { newestMessagesQuery } from './messages.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api), newestMessagesQuery(api)]
export const redirect: PageNeeds['redirect'] = forCustomers
