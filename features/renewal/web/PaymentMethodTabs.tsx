import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import * as s from './renewal.module.css'

export type PaymentMethod = 'card' | 'voucher'

/**
 * Tabs for the payment methods of a renewal. Each method is a separate page, so the choice survives BACK and a reload.
 */
export function PaymentMethodTabs({ shortId, by }: { shortId: string; by: PaymentMethod }) {
  const renewalPath = `/services/renew/${shortId}/`
  const { search } = useRawLocation()
  const queryString = search && `?${search}`
  return (
    <nav aria-label="Payment type" className={s.types}>
      <Link href={`${renewalPath}plan/${queryString}`} aria-current={by === 'card' ? 'page' : undefined}>
        Card payment
      </Link>
      <Link href={`${renewalPath}voucher/${queryString}`} aria-current={by === 'voucher' ? 'page' : undefined}>
        Voucher
      </Link>
    </nav>
  )
}
