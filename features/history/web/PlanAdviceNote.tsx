import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { adviceQuery } from './advice.queries.ts'

/**
 * What the last cycles say of a service's plan; nothing while there is too little to go by. `compare`: where the plan that it speaks of
 * stands beside the others, or what shows it there. It never chooses one.
 */
export default function PlanAdviceNote({ uuid, compare }: { uuid: string; compare: string | (() => void) }) {
  const advice = useQuery(adviceQuery(useApi())).data?.[uuid]
  if (!advice) return null
  return (
    <p>
      {advice.text.split('**').map((part, at) => (at % 2 === 1 ? <strong key={part}>{part}</strong> : part))}{' '}
      {advice.plan_id !== null &&
        (typeof compare === 'string' ? (
          <Link href={compare}>Compare plans</Link>
        ) : (
          <Button kind="plain" onClick={compare}>
            Compare
          </Button>
        ))}
    </p>
  )
}
