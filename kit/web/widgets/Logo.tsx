import type { Brand } from '#kit/contract/bootstrap.ts'
import * as s from './Logo.module.css'

export function Logo({ brand }: { brand: Brand }) {
  return (
    <span className={s.logo} translate="no">
      <img src={brand.mark} alt="" width="32" height="32" />
      {brand.shortName}
    </span>
  )
}
