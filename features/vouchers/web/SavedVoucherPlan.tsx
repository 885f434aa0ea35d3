import { useEffect } from 'react'
import { clearVoucher, useSavedVoucher } from './saved-voucher.ts'
import { VoucherPlan } from './VoucherPlan.tsx'
import { isVoid, useVoucher } from './voucher.queries.ts'

/** The plan of the saved voucher; renders nothing without a voucher. A voucher that has been used since is removed. */
export function SavedVoucherPlan() {
  const { data, error } = useVoucher(useSavedVoucher() ?? '')
  useEffect(() => {
    if (isVoid(error)) clearVoucher()
  }, [error])
  return data ? <VoucherPlan product={data.product} /> : null
}
