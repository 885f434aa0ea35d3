import { Link } from '#kit/web/Link.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { providerNames } from './provider.labels.ts'
import * as s from './RunName.module.css'

const messageServices = ['mail', 'sms']

export function ProviderName({ service }: { service: string }) {
  const me = useMe()
  const name = providerNames[service] ?? service
  if (!messageServices.includes(service) || !hasRole(me, ['support', 'finance'])) return <span>{name}</span>
  return (
    <Link href="/messages/" className={s.link}>
      {name}
    </Link>
  )
}
