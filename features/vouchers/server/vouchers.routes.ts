import { HttpError } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import { presentProduct } from '#features/plans/server/plans.ts'
import { readVoucher } from '../vouchers.contract.ts'
import { checkVoucher, type VoucherDeps, getVoucherLimits } from './vouchers.ts'

export const voucherRoutes = (deps: VoucherDeps): Route[] => [
  route(
    readVoucher,
    { access: 'anyone', limits: ({ visit }) => getVoucherLimits(visit), countsPages: true },
    async ({ params, query }) => {
      const voucher = await checkVoucher(deps, params.code, query.event_type)
      if ('refusal' in voucher) throw new HttpError(412, { type: voucher.refusal })
      return { code: params.code.trim().toUpperCase(), product: presentProduct(voucher.product) }
    },
  ),
]
