import { Price } from '#kit/web/widgets/Price.tsx'
import * as s from './MonthlyAverage.module.css'

/** Shows a plan's monthly average as prominently as its price. */
export const MonthlyAverage = ({ id, cents }: { id: string; cents: number }) => (
  <span id={id} className={s.average}>
    <Price big cents={cents} /> <span>monthly average</span>
  </span>
)
