import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { adviceQuery } from './advice.queries.ts'
import s from './PlanAdviceNote.module.css'

/**
 * What the last cycles say of a service's plan; nothing while there is too little to go by. `compare`: where the plan that it speaks of
 * stands beside the others, or what shows it there. It never chooses one.
 */
export default function PlanAdviceNote({ uuid, compare }: { uuid: string; compare: string | (() => void) }) {
  const advice = useQuery(adviceQuery(useApi())).data?.[uuid]
  if (!advice) return null
  return (
    <p className={s.advice}>
      {advice.text.split('**').map((part, at) => (at % 2 === 1 ? <strong key={part}>{part}</strong> : part))}{' '}
      {advice.plan_id !== null &&
        (typeof compare === 'string' ? (
          <Link href={compare}>Compare plans</Link>
        ) : (
          <button type="button" className={s.compare} onClick={compare}>
            Compare
          </button>
        ))}
    </p>
  )
}
