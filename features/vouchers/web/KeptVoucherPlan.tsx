import { useEffect } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { forgetVoucher, useKeptVoucher } from './kept-voucher.ts'
import { VoucherPlan } from './VoucherPlan.tsx'
import { isVoid, voucherQuery } from './voucher.queries.ts'

/** The plan of the voucher in use; nothing without one. A voucher that has been used meanwhile is forgotten. */
export function KeptVoucherPlan() {
  const { data, error } = useQuery(voucherQuery(useApi(), useKeptVoucher() ?? ''))
  useEffect(() => {
    if (isVoid(error)) forgetVoucher()
  }, [error])
  return data ? <VoucherPlan product={data.product} /> : null
}
