import { formatPrice } from '#kit/contract/money.ts'
import * as s from './Price.module.css'

type Props = {
  cents: number
  /** The recommended price in cents. It is shown only if it is higher than the price. */
  was?: number | null
  big?: boolean
}

export function Price({ cents, was, big = false }: Props) {
  return (
    <span className={big ? s.big : s.price}>
      {was && was > cents && (
        <>
          <s className={s.was}>
            <span className="visually-hidden">was </span>
            {formatPrice(was)}
          </s>{' '}
        </>
      )}
      <span>{formatPrice(cents)}</span>
    </span>
  )
}
