import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { findCurrentSchedule } from './current-schedule.ts'
import { servicesQuery } from './services.queries.ts'

export function AutoRenewalOffNotice({ uuid }: { uuid: string }) {
  const service = useQuery(servicesQuery(useApi())).data?.[uuid]
  const schedule = service && findCurrentSchedule(service)
  if (!service || service.is_expired || !schedule || schedule.auto_recharge_enabled) return null
  return (
    <p>
      Auto-renewal is off. <Link href={`/services/${uuid}/?auto-renewal`}>Enable auto-renewal</Link>
    </p>
  )
}
