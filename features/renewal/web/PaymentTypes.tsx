import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import * as s from './renewal.module.css'

/** How a renewal is paid for. */
export type PaidBy = 'card' | 'voucher'

/** The two ways to pay, each a page of its own: so BACK and a reload keep it. */
export function PaymentTypes({ shortId, by }: { shortId: string; by: PaidBy }) {
  const home = `/services/renew/${shortId}/`
  const { search } = useRawLocation()
  const asked = search && `?${search}`
  return (
    <nav aria-label="Payment type" className={s.types}>
      <Link href={`${home}plan/${asked}`} aria-current={by === 'card' ? 'page' : undefined}>
        Card payment
      </Link>
      <Link href={`${home}voucher/${asked}`} aria-current={by === 'voucher' ? 'page' : undefined}>
        Voucher
      </Link>
    </nav>
  )
}
