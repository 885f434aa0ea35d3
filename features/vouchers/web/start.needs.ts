import type { PageNeeds } from '#kit/web/page.ts'
import { codeOf, voucherQuery } from './voucher.queries.ts'

/** The plan is rendered with the page, so that a customer who follows an email's link can read it without scripts. */
export const queries: PageNeeds['queries'] = (api, params) => [voucherQuery(api, codeOf(params))]
