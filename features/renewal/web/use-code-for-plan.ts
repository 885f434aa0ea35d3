import { useEffect } from 'react'
import { useNavigate } from '#kit/web/router/location.ts'
import { clearVoucher, useSavedVoucher } from '#features/vouchers/web/saved-voucher.ts'

/**
 * A code that was kept meets the plan that it was kept for (spec 4): it is cleared, and goes on in the address of the plan's
 * voucher page, unless there is a newer one. True while it leads away from this page.
 */
export function useCodeForPlan(shortId: string, code: string | undefined): boolean {
  const kept = useSavedVoucher()
  const navigate = useNavigate()
  useEffect(() => {
    if (kept === null) return
    if (code === undefined)
      navigate(`/services/renew/${shortId}/voucher/${encodeURIComponent(kept)}/${location.search}`, { replace: true })
    clearVoucher()
  }, [kept, code, shortId, navigate])
  return kept !== null && code === undefined
}
