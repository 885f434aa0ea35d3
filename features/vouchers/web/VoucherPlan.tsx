import { bothCountries } from '#kit/contract/countries.ts'
import { cyclesOf, dataParts, inAll } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import * as s from './VoucherPlan.module.css'

export function VoucherPlan({ product }: { product: Product }) {
  const { market } = useBootstrap()
  const { amount, unit } = dataParts(product.data_gb)
  const cycles = cyclesOf(product.length)
  return (
    <section className={s.ticket} aria-label="Prepay Plan of your voucher">
      <p className={s.data}>
        <b>{amount}</b> {unit}
      </p>
      <div className={s.text}>
        <h2 className={s.title}>{product.title}</h2>
        <p>
          {product.length} days
          {cycles > 1 && <span>{`, ${amount} ${unit} every 30 days (${inAll(product)})`}</span>}
        </p>
        <p>Unlimited standard calls and texts to {bothCountries(market)}</p>
        <p className={s.paid}>
          <Icon name="check" />
          Paid with your voucher
        </p>
      </div>
    </section>
  )
}
