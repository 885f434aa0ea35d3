import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { alertsInWords } from './alert-words.ts'
import { alertsQuery } from './alerts.queries.ts'

export default function AlertsFact({ uuid }: { uuid: string }) {
  const { data } = useQuery(alertsQuery(useApi(), uuid))
  return <span>{data ? alertsInWords(data) : 'When we tell you how much data you’ve used.'}</span>
}
