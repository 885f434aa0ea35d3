import { useEffect } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { voucherCodeLength, voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { clearVoucher, saveVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { isInvalidVoucher, useVoucher, getVoucherErrorMessage } from '#features/vouchers/web/voucher.queries.ts'
import { VoucherPlan } from '#features/vouchers/web/VoucherPlan.tsx'
import * as s from './choose.module.css'

/**
 * Shows the voucher from a link that the customer followed. A valid code is saved until the customer chooses a service
 * (spec 4).
 */
export function LinkedVoucher({ code }: { code: string }) {
  const { data, error } = useVoucher(code, 'RENEWAL')
  const hasWrongLength = code.length !== voucherCodeLength
  const isValid = !hasWrongLength && !isInvalidVoucher(error)
  useEffect(() => {
    if (isValid) saveVoucher(code)
    else clearVoucher()
  }, [isValid, code])

  if (data)
    return (
      <div className={s.voucher}>
        <VoucherPlan product={data.product} />
      </div>
    )
  if (!hasWrongLength && !error)
    return (
      <div className={s.voucher}>
        <Card>
          <Skeleton lines={3} />
        </Card>
      </div>
    )
  return (
    <div role="alert">
      <Banner kind="bad" title={hasWrongLength ? voucherMessages.unknown : getVoucherErrorMessage(error)}>
        {isValid ? (
          'You can still choose a service. We’ll check your code again on the next page.'
        ) : (
          <Link href="/services/renew/">Renew without this voucher</Link>
        )}
      </Banner>
    </div>
  )
}
