import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import * as s from './renewal.module.css'

export type PaidBy = 'card' | 'voucher'

/** The payment methods. Each is a page of its own, so the choice survives BACK and a reload. */
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
