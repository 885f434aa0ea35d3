import { useEffect } from 'react'
import { clearVoucher, useSavedVoucher } from './saved-voucher.ts'
import { VoucherPlan } from './VoucherPlan.tsx'
import { isInvalidVoucher, useVoucher } from './voucher.queries.ts'

export function SavedVoucherPlan() {
  const { data, error } = useVoucher(useSavedVoucher() ?? '')
  useEffect(() => {
    if (isInvalidVoucher(error)) clearVoucher()
  }, [error])
  return data ? <VoucherPlan product={data.product} /> : null
}
