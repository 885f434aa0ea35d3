import type { PageNeeds } from '#kit/web/page.ts'
import { codeOf, voucherQuery } from './voucher.queries.ts'

/** The plan is in the page as it comes: who follows the link of a mail reads it before, or without, any script. */
export const queries: PageNeeds['queries'] = (api, params) => [voucherQuery(api, codeOf(params))]
