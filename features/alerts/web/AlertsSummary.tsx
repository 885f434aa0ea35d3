import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { alertsLabel } from './alert.labels.ts'
import { alertsQuery } from './alerts.queries.ts'

export default function AlertsSummary({ uuid }: { uuid: string }) {
  const { data } = useQuery(alertsQuery(useApi(), uuid))
  return <span>{data ? alertsLabel(data) : 'Choose when we tell you how much data you’ve used.'}</span>
}
