import { Link } from '#kit/web/Link.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { runNames } from './run-words.ts'
import * as s from './RunName.module.css'

const messages = ['mail', 'sms']

/** Name of a service. For support and finance, the names of mail and text messages link to the messages that do not arrive. */
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
