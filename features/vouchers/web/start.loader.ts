import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { getVoucherCode, voucherQuery } from './voucher.queries.ts'

/**
 * The voucher's plan is rendered with the page, so that a customer who follows a link in an email can see the plan even
 * without scripts.
 */
export const queries: PageLoader['queries'] = (api, params) => [
  voucherQuery(api, getVoucherCode(params)),
  accountQuery(api),
]
