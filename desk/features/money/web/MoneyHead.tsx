import { Link } from '#kit/web/Link.tsx'
import * as s from './money.module.css'

const tabs = [
  { path: '/money/', text: 'Disputes' },
  { path: '/money/refunds/', text: 'Refunds' },
  { path: '/money/days/', text: 'Days' },
] as const

export function MoneyHead({ at }: { at: (typeof tabs)[number]['path'] }) {
  return (
    <header className={s.head}>
      <h1>Money</h1>
      <nav aria-label="Money pages" className={s.tabs}>
        {tabs.map(({ path, text }) => (
          <Link key={path} href={path} {...(path === at && { 'aria-current': 'page' as const })}>
            {text}
          </Link>
        ))}
      </nav>
    </header>
  )
}
