import { Fan } from './Fan.tsx'
import s from './Logo.module.css'

/** The provider's mark and name. */
export function Logo({ name }: { name: string }) {
  return <span className={s.logo}><Fan className={s.mark} />{name}</span>
}
