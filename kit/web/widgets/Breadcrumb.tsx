import { Link } from '../Link.tsx'
import { Icon } from './Icon.tsx'
import * as s from './Breadcrumb.module.css'

export function Breadcrumb({ href, text }: { href: string; text: string }) {
  return (
    <nav aria-label="Breadcrumb" className={s.breadcrumb}>
      <Link href={href}>
        <Icon name="back" />
        {text}
      </Link>
    </nav>
  )
}
