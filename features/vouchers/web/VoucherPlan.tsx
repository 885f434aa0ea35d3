import { getCoveredCountries } from '#kit/contract/countries.ts'
import { getCycleCount, splitDataAmount, getTotalDataLabel } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import * as s from './VoucherPlan.module.css'

export function VoucherPlan({ product }: { product: Product }) {
  const { market } = useBootstrap()
  const { amount, unit } = splitDataAmount(product.data_gb)
  const cycleCount = getCycleCount(product.length)
  return (
    <section className={s.ticket} aria-label="Prepay Plan of your voucher">
      <p className={s.data}>
        <b>{amount}</b> {unit}
      </p>
      <div className={s.text}>
        <h2 className={s.title}>{product.title}</h2>
        <p>
          {product.length} days
          {cycleCount > 1 && <span>{`, ${amount} ${unit} every 30 days (${getTotalDataLabel(product)})`}</span>}
        </p>
        <p>Unlimited standard calls and texts to {getCoveredCountries(market)}</p>
        <p className={s.paid}>
          <Icon name="check" />
          Paid with your voucher
        </p>
      </div>
    </section>
  )
}
