import { Link } from '#kit/web/Link.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { runNames } from './run-words.ts'
import * as s from './RunName.module.css'

const messages = ['mail', 'sms']

export function RunName({ service }: { service: string }) {
  const me = useMe()
  const name = runNames[service] ?? service
  if (!messages.includes(service) || !hasRole(me, ['support', 'finance'])) return <span>{name}</span>
  return (
    <Link href="/messages/" className={s.link}>
      {name}
    </Link>
  )
}
